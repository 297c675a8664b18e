/** Who was who, and what became of them. */

import { h } from "../../../dom.js";
import { namedTerm } from "../help/terms.js";
import { t } from "../../../words.js";

/** @type {import("../../contract.js").GameBoard["cast"]} */
export function castTable({ seats, play }, { book, names, fortune }) {
  if (Object.keys(play?.characters ?? {}).length === 0) {
    return null;
  }
  const known = Object.values(play.characters).some(({ role }) => role);
  const rows = Object.values(play.characters).map((figure) => {
    const came = fortune(figure.seat);
    return h(
      "tr",
      { class: came === "won" && "won" },
      h("th", { scope: "row" }, names.character(figure.id), h("span", { class: "result-player" }, seats[figure.seat] ? names.player(figure.seat) : "")),
      known && h("td", {}, figure.role ? roleTerm(figure, { book, names }) : t("room25/watch.result.unknown")),
      h("td", {}, fate(figure, play, book)),
      h("td", {}, t(`watch.result.${came}`)),
    );
  });
  const heads = ["character", ...(known ? ["role"] : []), "fate", "won"].map((head) => h("th", { scope: "col" }, t(names.key(`watch.result.head.${head}`))));
  const table = h("table", {}, h("thead", {}, h("tr", {}, heads)), h("tbody", {}, rows));
  return h(
    "details",
    { open: true },
    h("summary", {}, t("room25/watch.result.who")),
    h("div", { class: "wide", role: "region", tabindex: "0", "aria-label": t("room25/watch.result.who") }, table),
  );
}

/** What a role is called here, also one that this rulebook does not have. */
function roleTerm({ id, role }, { book, names }) {
  return book.has("roles", role) ? namedTerm(book, "roles", role, `result-${id}`) : names.role(role);
}

function fate(figure, play, book) {
  if (figure.alive === false) {
    return t("room25/watch.result.dead");
  }
  return figure.cell && play.grid[figure.cell]?.kind === "room25" ? namedTerm(book, "rooms", "room25", `result-${figure.id}`, t("room25/watch.result.inside")) : t("room25/watch.result.alive");
}
