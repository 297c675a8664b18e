/** What visitors are invited to, in this order; like `registry.js`, a list of the page that names games. */

import { invitation as chase } from "./cerveauuu/help/invitation.js";
import { invitation as complex } from "./room25/help/invitation.js";

export const INVITATIONS = [
  { game: "room25", invitation: complex },
  { game: "cerveauuu", invitation: chase },
];
