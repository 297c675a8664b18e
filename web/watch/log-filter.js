/** What of the log is shown: by seat and by kind of event. */

import { h } from "../dom.js";
import { patch } from "../patch.js";
import { t } from "../words.js";
import { QUIET, isPhrase, kindsOf } from "./kinds.js";

/**
 * The filter of a log.
 *
 * @param {{names: object, log: import("../games/contract.js").GameLog, onChange: () => void,
 *   seats: () => Array<{seat: number, characters: string[]}>, isMuted: (seat: number) => boolean}} options `log` is the game's; what
 *   a muted seat says is shown with what nobody wants to read.
 * @returns {{element: HTMLElement, passes: (entry: object) => boolean, active: () => boolean, refresh: () => void}}
 *   `refresh`: seats may have been taken, or their players renamed.
 */
export function createFilter({ names, log, seats, isMuted, onChange }) {
  const all = kindsOf(log);
  // Not shown unless asked for.
  const kinds = new Set(all.filter((kind) => kind !== QUIET));
  let only = null;
  const menu = h("select", { onchange: () => choose() }, h("option", { value: "" }, t("watch.filter.everybody")));
  const chosen = () => seats().find(({ seat }) => seat === Number(menu.value)) ?? null;
  const choose = () => {
    only = chosen();
    onChange();
  };
  const boxes = all.map((kind) => {
    const onchange = (event) => {
      kinds[event.target.checked ? "add" : "delete"](kind);
      onChange();
    };
    return h("label", {}, h("input", { type: "checkbox", checked: kinds.has(kind), onchange, dataset: { filter: kind } }), t(names.key(`watch.kind.${names.byTurn(kind)}`)));
  });
  const element = h(
    "details",
    { class: "log-filter" },
    h("summary", {}, t("watch.filter")),
    h("label", { class: "by-seat" }, h("span", {}, t("watch.filter.seat")), menu),
    h("fieldset", {}, h("legend", {}, t("watch.filter.kinds")), boxes),
  );
  // What is chosen stays chosen, and a list that is open stays open: its entries are the same elements.
  const refresh = () => {
    patch(
      menu,
      h("option", { value: "", dataset: { seat: "" } }, t("watch.filter.everybody")),
      seats().map(({ seat, characters }) => h("option", { value: String(seat), dataset: { seat: String(seat) } }, names.seated(seat, characters))),
    );
    // The seat may have been left, or have other characters now; else what has passed passes, and only new lines are looked at.
    only !== null && String(chosen()?.characters) !== String(only.characters) && choose();
  };
  return {
    element,
    refresh,
    passes: ({ kind, line }) => kinds.has(isPhrase(line.event.type) && isMuted(line.event.seat) ? QUIET : kind) && (only === null || concerns(line.event, only, log)),
    active: () => only !== null || kinds.size < all.length - 1,
  };
}

/** Whether an event names a seat or one of its characters. */
function concerns(event, { seat, characters }, log) {
  return event.seat === seat || (event.winners ?? []).includes(seat) || log.characters(event).some((id) => characters.includes(id));
}
