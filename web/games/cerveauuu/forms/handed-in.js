/** What a view tells of a seat's own sealed answers (pure). */

/** @type {import("../../contract.js").GameForms["handedIn"]} */
export function handedIn({ kind, seat, subject }, state) {
  const play = state?.play;
  const found = {
    respond: () => play.window?.answers?.[seat],
    wander_batch: () => play.wandering?.answers?.[subject ?? ""],
    consent: () => ({ true: "accept", false: "decline" })[String(play.fight?.consents?.[seat])],
    discard: () => play.discards[seat]?.map((number) => `k${number}`).join("-"),
  }[kind];
  return (play && found?.()) ?? null;
}
