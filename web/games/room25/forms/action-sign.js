/** How an option shows that is an action. */

import { pictogram } from "../board/pictograms.js";

/** The side of a pictogram on a button. */
const SIZE = 24;

/**
 * The pictogram of an action that is carried out as it is chosen; null: the option is something else, or more than that.
 *
 * @type {import("../../contract.js").GameForms["sign"]}
 */
export function actionSign(_, { meaning }) {
  const [member, ...others] = Object.keys(meaning ?? {});
  return member === "token" && others.length === 0 ? pictogram("action", meaning?.token, { size: SIZE }) : null;
}
