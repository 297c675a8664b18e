/** The history of who stands on a cell. */

import { pieceAbout } from "./about.js";
import { t } from "../../../words.js";

/** @type {import("../../contract.js").GameHelp["story"]} */
export function pieceStory(state, cell, names) {
  const piece = Object.values(state.play?.pieces ?? {}).find((each) => each.cell === cell);
  if (piece === undefined) {
    return null;
  }
  return {
    title: t("cerveauuu/watch.changes", { piece: names.piece(state.play, piece.id), cell: names.cell(cell) }),
    text: `${pieceAbout(piece)} ${t("cerveauuu/watch.changes_text")}`,
    empty: t("cerveauuu/watch.changes_none"),
    seen: ({ play }) => (play?.pieces?.[piece.id] ? JSON.stringify({ ...play.pieces[piece.id], touched_by: null }) : null),
  };
}
