/** What comes after the board: how it moves, and the last scene. */

import { late } from "../../../late.js";

/** @type {import("../../contract.js").GameBoard["motion"]} */
export const motion = () => late("games/cerveauuu/board/motion.js", () => import("./motion.js"));

/** The last scene. @type {import("../../contract.js").GameBoard["finale"]} */
export const finale = () => late("games/cerveauuu/board/finale.js", () => import("./finale.js"));
