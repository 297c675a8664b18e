/** What a seat knew of the cards: its own. Whatever stands in the town is open to everybody. */

import { tn } from "../../../words.js";

/** @type {import("../../contract.js").GameHelp["knowledge"]} */
export function knowledge(seat, { at, first, stateAt, names }) {
  const { hands } = stateAt(at).play ?? {};
  const held = Object.entries(hands ?? {}).filter(([, cards]) => Object.keys(cards).length > 0);
  return held.map(([key, cards]) => {
    const owner = Number(key);
    const what = tn("cerveauuu/knew.hand", Object.keys(cards).length, { name: names.player(owner) });
    return owner === seat
      ? { target: null, what, by: "seat", since: lastChange(owner, { at, first, stateAt }), others: [] }
      : { target: null, what, by: "nobody", since: null, others: [owner] };
  });
}

/** Since when a hand has been as it is: cards have numbers that all can see. */
function lastChange(owner, { at, first, stateAt }) {
  const held = (version) => Object.keys(stateAt(version).play?.hands?.[owner] ?? {}).join(" ");
  const now = held(at);
  let since = first;
  for (let version = first; version <= at; version += 1) {
    since = held(version) === now ? since : version + 1;
  }
  return since;
}
