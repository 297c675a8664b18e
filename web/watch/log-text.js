/** What each event says in the log: a text of the catalogue and what stands in it. */

import { called } from "../called.js";
import { duration, t } from "../words.js";

/**
 * An event as a sentence.
 *
 * @param {object} event as its reader may see it; a secret field that is not there is left out of the sentence.
 * @param {object} names see `namesOf`.
 * @param {{lost?: string|null}} beside `lost`: why an action was lost, as `whyLost` says.
 * @returns {string}
 */
export function sentence(event, names, beside = {}) {
  const wording = WORDINGS[event.type];
  if (wording === undefined) {
    // A newer service may tell of things that this page does not know.
    return t("log.unknown", { type: event.type });
  }
  const { form = "", ...params } = wording(event, names, beside);
  const text = t(names.key(`log.${event.type}${form && `.${form}`}`), params);
  return text.charAt(0).toLocaleUpperCase() + text.slice(1);
}

const who = (e, n) => ({ who: n.character(e.character) });
const player = (e, n) => ({ player: n.player(e.seat) });
const cell = (e, n) => ({ cell: e.cell && n.cell(e.cell) });
const none = () => ({});
const noted = ({ reason = "unstated" }, n) => (reason === "unstated" ? {} : { form: "why", reason: n.word(`reason.${reason}`) });
const line = (e, n) => ({ line: n.word(`line.${e.line}`), way: n.word(`direction.${e.way}`) });

/** The time limits of a table by the game's classes of waits, as a clock shows them. */
const limits = (seconds) => Object.fromEntries(Object.entries(seconds).map(([id, s]) => [id, duration(s * 1000)]));

/** The form of a sentence for causes that have one of their own. */
const among = (cause, forms) => (forms.includes(cause) ? cause : "");

const TABLE = {
  "table-opened": (e, n) => ({
    form: e.scenario ? "scenario" : "",
    rulebook: n.rulebook(),
    mode: n.mode(e.mode),
    seats: e.seats,
    limits: t(n.key("log.limits"), limits(e.time.limits_s)),
  }),
  "seat-taken": (e, n) => ({
    form: e.characters.length === 0 ? "alone" : e.bot ? "bot" : "",
    player: called(e.seat, e),
    bot: e.bot,
    seat: e.seat,
    who: n.characters(e.characters),
  }),
  "player-invited": none,
  "invitation-withdrawn": none,
  "invitation-declined": none,
  "seat-left": (e) => ({ seat: e.seat }),
  "seat-readied": player,
  "table-started": none,
  "clock-started": (e) => ({ time: duration(e.due - e.since) }),
  "seat-timed-out": (e, n) => ({ ...player(e, n), strikes: e.strikes }),
  "seat-went-absent": player,
  "seat-returned": player,
  "seat-resigned": player,
  "table-paused": noted,
  "table-resumed": none,
  "store-restored": (e) => ({ from: e.from_version, to: e.to_version }),
  "time-extended": noted,
  "inspection-began": (e, n) => ({
    form: e.eyes ? (e.eyes.startsWith("seat") ? "seat" : "all") : "",
    time: duration(e.until - e.at),
    player: e.eyes && n.player(Number(e.eyes.slice("seat:".length))),
    reason: e.reason && n.word(`reason.${e.reason.trimEnd()}`),
  }),
  "table-closed": (e, n) => ({
    form: among(e.reason, ["annulled", "cancelled"]),
    outcome: n.word(`outcome.${e.outcome}`),
    cause: n.word(`reason.${e.cause ?? "unstated"}`),
  }),
  "key-published": (e) => ({ key: `${e.key.slice(0, 12)}…` }),
};

const ROOM25 = {
  "game-began": (e, n) => ({ turns: e.last_turn, who: n.characters(e.order) }),
  "complex-laid": (e) => ({ form: e.kinds ? "known" : "" }),
  "role-dealt": (e, n) => ({ form: e.role ? "known" : "", ...who(e, n), role: e.role && n.role(e.role) }),
  "roles-left-over": (e, n) => ({ form: e.roles ? "known" : "", count: e.count, roles: e.roles && n.roles(e.roles) }),
  "situation-set": (e) => ({ turn: e.turn, last: e.last_turn }),
  "clue-chosen": (e, n) => ({ form: e.cell ? "known" : "", ...player(e, n), ...cell(e, n) }),
  "clues-closed": (e, n) => ({
    cells: Object.entries(e.cells).map(([seat, place]) => `${n.player(Number(seat))} ${n.cell(place)}`).join(", "),
  }),
  "room-peeked": (e, n) => ({ form: e.kind ? "known" : "", ...player(e, n), ...cell(e, n), room: e.kind && n.room(e.kind) }),
  "turn-began": (e, n) => ({ turn: e.turn, who: n.characters(e.order) }),
  "guard-freed": who,
  "programming-opened": (e, n) => (e.limited?.length ? { form: "limited", who: n.characters(e.limited) } : {}),
  "program-submitted": (e, n) => ({
    form: e.tokens ? "known" : "",
    ...player(e, n),
    ...who(e, n),
    actions: e.tokens && n.actions([...e.tokens, ...(e.adrenaline ? ["adrenaline"] : [])]),
  }),
  "programming-closed": (e, n) => ({
    counts: Object.entries(e.actions).map(([id, count]) => `${n.character(id)} ${count}`).join(", "),
  }),
  "slot-began": (e, n) => ({ form: e.round === 3 ? "adrenaline" : "", ...who(e, n), round: e.round }),
  "action-delayed": who,
  "action-passed": who,
  "action-revealed": (e, n) => ({ form: e.drawn ? "drawn" : "", ...who(e, n), action: n.action(e.token) }),
  "action-lost": (e, n, { lost }) => ({ ...who(e, n), action: n.action(e.token), why: t(`room25/board.lost.${lost ?? "impossible"}`) }),
  "character-moved": (e, n) => ({
    form: among(e.cause, ["push", "carry", "robot", "summon", "tunnel", "vortex", "illusion", "card"]),
    ...who(e, n),
    ...cell(e, n),
  }),
  "room-revealed": (e, n) => ({ ...cell(e, n), room: n.room(e.kind) }),
  "tiles-swapped": (e, n) => ({
    form: among(e.cause, ["illusion", "moving", "hack", "card"]),
    first: n.cell(e.first),
    second: n.cell(e.second),
  }),
  "line-shifted": (e, n) => ({ form: among(e.cause, ["card", "room"]), ...line(e, n) }),
  "room-sealed": cell,
  "trap-armed": who,
  "flood-armed": (e, n) => ({ ...who(e, n), turn: e.due }),
  "character-eliminated": (e, n) => ({
    form: e.cause === "resigned" ? "resigned" : "",
    ...who(e, n),
    cause: n.room(e.cause),
  }),
  "role-revealed": (e, n) => ({ form: among(e.cause, ["own", "death", "masks"]), ...who(e, n), role: n.role(e.role) }),
  "alarm-raised": (e) => ({ turn: e.last_turn }),
  "escape-attempted": (e, n) => ({
    form: e.outcome ? "out" : "",
    ...who(e, n),
    ...line(e, n),
    outcome: e.outcome && n.word(`outcome.${e.outcome}`),
  }),
  "reminder-placed": (e, n) => ({ ...player(e, n), ...cell(e, n) }),
  "color-claimed": (e, n) => ({ ...player(e, n), ...cell(e, n), color: n.word(`color.${e.color}`) }),
  "seat-withdrew": player,
  "agenda-set": agenda,
  "game-ended": (e, n) => ({
    form: e.winners.length === 0 ? "lost" : e.outcome === "draw" ? "drawn" : typeof e.score === "number" ? "score" : "",
    outcome: n.word(`outcome.${e.outcome}`),
    winners: n.players(e.winners),
    score: e.score,
  }),
};

const EDITIONS = {
  "program-shown": (e, n) => ({ ...who(e, n), actions: n.actions([...e.tokens, ...(e.adrenaline ? ["adrenaline"] : [])]) }),
  "token-discarded": (e, n) => ({ ...who(e, n), action: n.action(e.token) }),
  "token-replaced": (e, n) => ({ form: e.tokens ? "known" : "", ...who(e, n), actions: e.tokens && n.actions(e.tokens) }),
  "action-penalised": (e, n) => ({ ...who(e, n), action: n.action(e.token) }),
  "adrenaline-changed": (e, n) => ({ form: among(e.adrenaline, ["available", "programmed", "spent"]), ...who(e, n) }),
  "program-cancelled": who,
  "paranoia-began": (e, n) => ({ ...who(e, n), count: e.stacked }),
  "paranoia-ended": (e, n) => ({ form: e.now ? "" : "later", ...who(e, n) }),
  "cold-lingers": who,
  "room-turned": (e, n) => ({ ...cell(e, n), axis: n.word(`answer.${e.axis}`) }),
  "room-replaced": (e, n) => ({ ...cell(e, n), room: n.room(e.kind) }),
  "room-turned-down": cell,
  "room-unsealed": cell,
  "room-locked": (e, n) => ({ form: e.moved_from ? "moved" : "", ...cell(e, n), from: e.moved_from && n.cell(e.moved_from) }),
  "locks-gone": none,
  "spare-used": who,
  "character-hid": who,
  "character-showed": who,
  "character-returned": who,
  "key-turned": none,
  "turns-cut": (e) => ({ turn: e.last_turn }),
  "robot-placed": (e, n) => ({ robot: e.robot + 1, ...cell(e, n) }),
  "robot-removed": (e) => ({ robot: e.robot + 1 }),
  "special-used": (e, n) => ({ ...who(e, n), what: n.parts(e.option) }),
  "offer-refused": who,
  "role-peeked": (e, n) => ({
    form: e.role ? "known" : "",
    ...player(e, n),
    ...who(e, n),
    role: e.role && n.role(e.role),
  }),
  "deck-shuffled": (e) => ({ count: e.count }),
  "card-drawn": (e, n) => ({
    form: e.character ? "room" : "",
    who: e.character && n.character(e.character),
    card: n.card(e.card),
  }),
  "reminder-taken": player,
  "power-used": (e, n) => ({ ...who(e, n), what: n.parts(e.option) }),
};

const WORDINGS = { ...TABLE, ...ROOM25, ...EDITIONS };

/** What the engine has to do next; only a question to somebody is worth words of its own. */
function agenda(e, n) {
  const top = e.agenda.at(-1);
  if (top === undefined) {
    return { form: "empty" };
  }
  return top[0] === "ask" ? { form: "ask", who: n.character(top[2]), what: n.decision(top[1]) } : {};
}
