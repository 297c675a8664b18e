/** Choosing the moment at which a card takes effect: a slider over the timeline, beside what happens there. */

import { h } from "../../../dom.js";
import { lensOf } from "../board/lens.js";
import { isAnchor } from "../board/places.js";
import { anchorText } from "../words/option-text.js";
import { t } from "../../../words.js";

/** @param {Told.DecisionOption} option */
const momentOf = ({ id }) => id.split(".").at(-1) ?? "";

/**
 * Whether a level is of moments among which one moves to and fro.
 *
 * @type {import("../../contract.js").GameForms["asForm"]}
 */
export const areMoments = (options) => options.length > 1 && options.every((each) => isAnchor(momentOf(each)));

/**
 * The form of a level whose options are all moments; null for other levels.
 *
 * @type {import("../../contract.js").GameForms["level"]}
 */
export function anchorLevel({ decision, options, book, state, busy, onTake }) {
  const anchors = options.map(momentOf);
  if (!areMoments(options) || !state?.play?.window) {
    return null;
  }
  const lens = lensOf(book);
  const text = (place) => anchorText(book, state.play, Number(anchors[place]));
  const id = `anchor-${decision.id}`;
  const here = Math.max(0, anchors.indexOf(String(lens.anchor)));
  lens.look(Number(anchors[here]));
  const onInput = ({ target }) => {
    const place = Number(target.value);
    target.parentElement.querySelector("output").textContent = text(place);
    target.setAttribute("aria-valuetext", text(place));
    lens.look(Number(anchors[place]));
  };
  const onClick = ({ currentTarget }) => onTake(options[Number(currentTarget.parentElement.querySelector("input").value)]);
  return h(
    "div",
    { class: "cv-anchor" },
    h("label", { for: id }, t("cerveauuu/board.anchor.choose")),
    h("input", { type: "range", id, min: "0", max: String(options.length - 1), step: "1", value: String(here), "aria-valuetext": text(here), oninput: onInput }),
    h("output", { for: id, class: "cv-moment" }, text(here)),
    h("button", { type: "button", id: `take-${id}`, disabled: busy, dataset: { action: "anchor" }, onclick: onClick }, t("cerveauuu/board.anchor.take")),
  );
}
