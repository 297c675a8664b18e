/** What is said where tables are read in rounds, while they cannot be. */

import { h } from "../dom.js";
import { explain } from "../refusal.js";
import { t } from "../words.js";

/** @param {import("../net/problem.js").Problem} problem */
export async function troubleNote(problem) {
  return h("p", { class: "note" }, await explain(problem), " ", t("lobby.retrying"));
}
