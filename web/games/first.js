/** The game that visitors are invited to; like `registry.js`, a list of the page that names a game. */

import { invitation } from "./room25/help/invitation.js";

export const FIRST = { game: "room25", invitation };
