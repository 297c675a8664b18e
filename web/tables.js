/** The fold of all tables, with the games that this page knows; each is loaded before its events are folded. */

import { Fold } from "./fold/fold.js";
import { gameOf } from "./games/registry.js";

export const tables = new Fold((game) => gameOf(game).fold);
