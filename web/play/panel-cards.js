/** All that the panel shows: what is asked, the switch of what the page answers by itself, and what one may do besides. */

import { h, present } from "../dom.js";
import { decisionCard, optionalCard } from "./decision-card.js";
import { standingSwitch } from "./standing.js";
import { t } from "../words.js";

/**
 * The panel's cards, one below the other.
 *
 * @param {{decisions: any[], waiting: number, gone: import("./drafts.js").Drafts["gone"], standing: Parameters<typeof standingSwitch>[0], unfolded: import("./unfolded.js").Unfolded,
 *   given: (decision: any) => any, onMore: (open: boolean) => void, onFold: (id: string, open: boolean) => void}} panel `given` is what a
 *   card is drawn of, see `decisionCard`; `onMore` hears whether voluntary decisions are shown, `onFold` whether one of them is.
 * @returns {Node[]}
 */
export function panelCards(panel) {
  const { decisions, waiting, gone, standing, given } = panel;
  const asked = decisions.filter((decision) => !decision.optional || decision.kind === "return");
  const optional = decisions.filter((decision) => !asked.includes(decision));
  const away = asked.some(({ kind }) => kind === "return");
  const idle = asked.some((each) => each.answered) ? "play.wait_for_others" : "play.nothing";
  return present([
    gone !== null && h("p", { class: "p-replaced", role: "alert" }, t(gone === "late" ? "play.gone.late" : "play.gone.decided")),
    waiting === 0 && !away && h("p", { class: "p-note p-idle" }, t(idle)),
    ...asked.map((decision) => decisionCard({ ...given(decision), above: isAbove(asked) })),
    standingSwitch(standing),
    optional.length > 0 && voluntary(optional, panel),
  ]);
}

/**
 * Whether the strip over the panel asks the very thing that the one card asks, so that nobody need read it twice.
 *
 * @param {any[]} asked
 */
const isAbove = (asked) => asked.length === 1 && !asked[0].optional && !asked[0].answered;

function voluntary(optional, { unfolded, given, onMore, onFold }) {
  return h(
    "details",
    { class: "p-more", open: unfolded.shown, ontoggle: (event) => onMore(event.target.open) },
    h("summary", { id: "play-more" }, t("play.optional")),
    optional.map((decision) => optionalCard(given(decision), { open: unfolded.has(decision.id), onToggle: (open) => onFold(decision.id, open) })),
  );
}
