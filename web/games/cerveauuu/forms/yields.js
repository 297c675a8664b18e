/** Standing passes at hand where a window asks: one click passes them all, in public. */

const KIND = "respond";
const ORDERS = ["go", "round", "uninvolved"];

/** @type {import("../../contract.js").GameForms["shortcuts"]} */
export function shortcuts(decision, decisions) {
  const orders = decisions.find(({ kind }) => kind === "yield");
  if (decision.kind !== KIND || orders === undefined) {
    return [];
  }
  const options = ORDERS.map((order) => orders.options.find(({ id }) => id === order));
  return options.filter((option) => option !== undefined).map((option) => ({ decision: orders, option }));
}
