/** The fold of all tables, with the games that this page knows. */

import { Fold } from "./fold/fold.js";
import { gameOf } from "./games/registry.js";

export const tables = new Fold((game) => gameOf(game).fold);
