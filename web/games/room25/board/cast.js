/** Who was who, and what became of them. */

import { h } from "../../../dom.js";
import { t } from "../../../words.js";

/** @type {import("../../contract.js").GameBoard["cast"]} */
export function castTable({ seats, play }, { names, fortune }) {
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
      known && h("td", {}, figure.role ? names.role(figure.role) : t("room25/watch.result.unknown")),
      h("td", {}, fate(figure, play)),
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

function fate(figure, play) {
  if (figure.alive === false) {
    return t("room25/watch.result.dead");
  }
  return figure.cell && play.grid[figure.cell]?.kind === "room25" ? t("room25/watch.result.inside") : t("room25/watch.result.alive");
}
