/** What the form for a new table asks of Room 25. */

import { t, tn } from "../../../words.js";
import { roomFields } from "./rooms.js";

/** @type {import("../../contract.js").Opening} */
export const OPENING = {
  rulebook: "ultimate",
  bot: "steady",
  beginners: { rulebook: "first_edition", mode: "suspicion", seats: 4, options: {} },
  facts,
  values,
  valueText,
  extra: ({ options, extra, seats }, json, mode) =>
    options.composition === "custom" ? (extra ?? usualRooms(json, mode, seats)) : null,
  extraFields: roomFields,
  extraOptions: (rooms) => ({ rooms }),
};

/** What the number of seats means for the game. */
function facts(mode, { seats, options }) {
  const roles =
    options.guards !== undefined && mode.other_roles[seats]?.[1] === options.guards
      ? mode.other_roles[seats]
      : mode.roles[seats];
  return [
    tn("new.facts.turns", mode.turns[seats]),
    mode.characters[seats] > 1 && tn("new.facts.characters", mode.characters[seats]),
    roles && t("room25/new.facts.roles", { prisoners: roles[0], guards: roles[1] }),
    mode.teams[seats] > 0 && mode.teams[seats] < seats && tn("new.facts.teams", mode.teams[seats]),
  ].filter(Boolean);
}

function values(option, { json, mode, wish }) {
  if (option.id === "composition") {
    const guards = guardsOf(mode, wish);
    return option.values.filter((id) => fitsComposition(json, id, mode, guards));
  }
  if (option.id === "guards") {
    const counts = [mode.roles[wish.seats]?.[1], mode.other_roles[wish.seats]?.[1]].filter(
      (count) => count !== undefined,
    );
    return counts.length > 1 ? option.values.filter((count) => counts.includes(count)) : [];
  }
  return option.values;
}

function valueText(option, value, book) {
  if (option.id !== "composition") {
    return null;
  }
  return value === "custom" ? t("new.custom") : (book.json.compositions.find((each) => each.id === value)?.name ?? null);
}

/** How many guards are dealt, where the host may say so; else null. */
function guardsOf(mode, wish) {
  return mode.options.includes("guards") ? (wish.options.guards ?? mode.roles[wish.seats]?.[1] ?? null) : null;
}

function fitsComposition(json, id, mode, guards) {
  const known = json.compositions.find((each) => each.id === id);
  return known === undefined || (known.modes.includes(mode.id) && (known.guards === null || known.guards === guards));
}

/** The usual rooms of a mode as a first draft of one's own; where they are left to chance, one of each kind first. */
function usualRooms(json, mode, seats) {
  const usual = json.compositions.find((each) => each.id === mode.compositions[seats]);
  const rooms = { ...usual.rooms };
  for (const [color, count] of Object.entries(usual.fill)) {
    const pool = json.rooms.filter(
      (room) => room.color === color && !(room.id in usual.rooms) && !usual.never.includes(room.id),
    );
    const copies = pool.flatMap((room) => Array.from({ length: room.copies }, (_, copy) => ({ id: room.id, copy })));
    for (const { id } of copies.toSorted((a, b) => a.copy - b.copy).slice(0, count)) {
      rooms[id] = (rooms[id] ?? 0) + 1;
    }
  }
  return rooms;
}
