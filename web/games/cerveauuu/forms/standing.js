/**
 * The switch by which the page passes every window of a phase, whatever is in the hand (pure). The passes are answers like any
 * other: each goes at the end of its slot of time (`slots.js`).
 */

import { t } from "../../../words.js";

const KIND = "respond";
const PASS = "pass";
/** The phases in which windows open. */
const PHASES = new Set(["panic", "wandering", "zombies", "end"]);

/** @type {import("../../contract.js").Standing} */
export const STANDING = {
  offer: (state) => {
    const play = state?.play;
    if (!play || play.end || !PHASES.has(play.phase)) {
      return null;
    }
    return { scope: `${play.round}.${play.phase}`, text: t("cerveauuu/play.standing") };
  },
  answer: (decision, state) => (decision.kind === KIND && isOf(decision, state?.play) ? PASS : null),
};

/** Whether a decision is asked in the window that a play shows, in the same version of it. */
function isOf({ id }, play) {
  const { number, version } = play?.window ?? {};
  return number !== undefined && id.startsWith(`r${play.round}-w${number}-v${version}-`);
}
