/** A card as it is printed. */

import { h } from "../../../dom.js";
import { language, listing, t } from "../../../words.js";

/** So many kinds of windows there are. */
const WINDOWS = 6;

/** Its name, its type, what it does, and when. */
export function cardFace(id, book, number = "") {
  const card = book.card(id);
  const when = card.windows.length === WINDOWS ? [t("cerveauuu/board.card.any")] : card.windows.map((window) => inside(book.word(`window.${window}`)));
  return [
    h("span", { class: "cv-card-head" }, h("b", {}, card.name), " ", h("small", {}, [book.word(`card_type.${card.type}`), number].filter(Boolean).join(" · "))),
    h("span", { class: "cv-card-effect" }, card.effect),
    when.length > 0 && h("small", { class: "cv-card-when" }, t("cerveauuu/board.card.when", { windows: listing(when) })),
  ].filter((node) => node !== false);
}

/** A window's name as it stands within a sentence; none begins with a proper name. */
function inside(name) {
  return name.charAt(0).toLocaleLowerCase(language()) + name.slice(1);
}
