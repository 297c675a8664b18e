/** Choosing the moment at which a card takes effect: a slider over the timeline, beside what happens there. */

import { h } from "../../../dom.js";
import { lensOf } from "../board/lens.js";
import { anchorText } from "../words/option-text.js";
import { t } from "../../../words.js";

/**
 * The form of a level whose options are all moments; null for other levels.
 *
 * @type {import("../../contract.js").GameForms["level"]}
 */
export function anchorLevel({ decision, options, book, state, busy, onTake }) {
  const anchors = options.map(({ id }) => id.split(".").at(-1) ?? "");
  if (options.length < 2 || !anchors.every((part) => /^\d+$/.test(part)) || !state?.play?.window) {
    return null;
  }
  const lens = lensOf(book);
  const found = anchors.indexOf(String(lens.anchor));
  const text = (place) => anchorText(book, state.play, Number(anchors[place]));
  const id = `anchor-${decision.id}`;
  const moment = h("output", { for: id, class: "cv-moment" });
  const slider = h("input", { type: "range", id, min: "0", max: String(options.length - 1), step: "1", value: String(Math.max(0, found)), oninput: () => show() });
  const show = () => {
    const place = Number(slider.value);
    moment.textContent = text(place);
    slider.setAttribute("aria-valuetext", text(place));
    lens.look(Number(anchors[place]));
  };
  show();
  return h(
    "div",
    { class: "cv-anchor" },
    h("label", { for: id }, t("cerveauuu/board.anchor.choose")),
    slider,
    moment,
    h(
      "button",
      { type: "button", id: `take-${id}`, disabled: busy, dataset: { action: "anchor" }, onclick: () => onTake(options[Number(slider.value)]) },
      t("cerveauuu/board.anchor.take"),
    ),
  );
}
