/** How the events of the board are recorded in a play (pure). */

import { add, change, move, remove } from "./pieces.js";
import { addTo, changed } from "./state.js";

const began = (play, event) => {
  const seats = Object.keys(event.colours).map(Number).sort((a, b) => a - b);
  const each = (value) => Object.fromEntries(seats.map((seat) => [seat, value()]));
  Object.assign(play, {
    rulebook: event.rulebook,
    mode: event.mode,
    options: event.options,
    map: event.map,
    colours: event.colours,
    chief: event.chief,
    seats,
    credits_need: seats.length,
    hands: each(() => ({})),
    piles: each(() => []),
    scores: each(() => 0),
    played: each(() => 0),
    replacing: each(() => true),
  });
};

const shuffled = (play, { cards = null, size }) => {
  Object.assign(play, { deck: cards, deck_size: size, shuffles: play.shuffles + 1 });
};

const situation = (play, event) => {
  play.round = event.round;
  event.pieces.forEach((piece) => add(play, piece));
  play.credits = event.credits ?? [];
  play.credits_need = event.credits_need || play.credits_need;
  for (const part of ["piles", "scores", "played", "replacing"]) {
    play[part] = { ...play[part], ...event[part] };
  }
  Object.assign(play, { weather: event.weather ?? null, bans: event.bans ?? [], media_lock: event.media_lock ?? false });
};

const appeared = (play, { piece, cell, controller = null, blocked = false }) => add(play, { id: piece, cell, controller, blocked });

const round = (play, event) => {
  Object.assign(play, { round: event.round, chief: event.chief, phase: "draw", last_go: null });
};

const roundEnded = (play) => {
  change(play, Object.keys(play.pieces), { blocked: false, moved: false, activated: false, attacked: false, touched_by: [] });
  const lasts = (each) => each.lasts !== "round";
  Object.assign(play, {
    swapped: [],
    media_lock: false,
    discards: {},
    modifiers: play.modifiers.filter(lasts),
    bans: play.bans.filter(lasts),
    triggers: play.triggers.filter(lasts),
    edges: lasting(play.edges),
    cells: lasting(play.cells),
  });
};

/** The changes of edges or cells that outlast the round. */
function lasting(changes) {
  const left = Object.entries(changes).map(([where, list]) => [where, list.filter(([, lasts]) => lasts !== "round")]);
  return Object.fromEntries(left.filter(([, list]) => list.length > 0));
}

const steps = (play, event) => {
  const { window, activation } = play;
  if (window === null) {
    throw new Error("steps were taken outside of a window");
  }
  const taken = (window.timeline ?? []).slice(window.floor ?? 0, event.to).map(([, cell]) => cell);
  for (const [name, cell] of Object.entries(event.cells)) {
    change(play, [name], { cell });
  }
  change(play, event.moved ?? [], { moved: true });
  play.window = changed(window, { floor: event.to });
  if (window.kind === "panic") {
    play.panic = event.panic ?? null;
  } else if (activation !== null) {
    play.activation = changed(activation, {
      trail: [...(activation.trail ?? []), ...taken],
      rest: (activation.rest ?? []).slice(taken.length),
    });
  }
};

const planned = (play, event) => {
  if (play.window !== null) {
    const { timeline = [], floor = 0 } = play.window;
    play.window = changed(play.window, { timeline: [...timeline.slice(0, floor), ...event.steps] });
  }
};

const saved = (play, { piece, cause, undoomed = false }) => {
  const { doomed = false, protections = [] } = play.pieces[piece] ?? {};
  change(play, [piece], { doomed: doomed && !undoomed, protections: [...protections, cause] });
};

const exit = (play, { piece, must_leave }) => {
  change(play, [piece], { must_leave });
  if (!must_leave && play.activation?.zombie === piece) {
    play.activation = changed(play.activation, { owes: false });
  }
};

const unprotected = (play) => {
  const names = Object.values(play.pieces).filter(({ protections }) => protections).map(({ id }) => id);
  change(play, names, { protections: [] });
};

const edge = (play, { edge: where, state, lasts }) => {
  play.edges = { ...play.edges, [where]: [...(play.edges[where] ?? []), [state, lasts]] };
};

const flag = (play, { cell, flag: what, lasts }) => {
  play.cells = { ...play.cells, [cell]: [...(play.cells[cell] ?? []), [what, lasts]] };
};

/** @type {Array<[string, (play: any, event: any) => void]>} */
export const BOARD_EVENTS = [
  ["game-began", began],
  ["deck-shuffled", shuffled],
  ["situation-set", situation],
  ["piece-appeared", appeared],
  ["round-began", round],
  ["phase-began", (play, { phase }) => void (play.phase = phase)],
  ["round-ended", roundEnded],
  ["panic-began", (play, { queue }) => void (play.panic = { queue })],
  ["steps-taken", steps],
  ["plan-made", planned],
  ["piece-moved", (play, { piece, path }) => move(play, piece, path)],
  ["piece-blocked", (play, { piece }) => change(play, [piece], { blocked: true })],
  ["piece-unblocked", (play, { piece }) => change(play, [piece], { blocked: false })],
  ["piece-doomed", (play, { piece }) => change(play, [piece], { doomed: true })],
  ["piece-saved", saved],
  ["exit-demanded", exit],
  ["zombie-readied", (play, { piece }) => change(play, [piece], { activated: false, attacked: false })],
  ["piece-lost", (play, { piece }) => remove(play, piece)],
  ["protections-ended", unprotected],
  ["edge-changed", edge],
  ["cell-flagged", flag],
  ["score-changed", (play, { seat, points }) => void (play.scores = addTo(play.scores, seat, points))],
  ["seat-withdrew", (play, { seat }) => void (play.dormant = [...play.dormant, seat])],
  ["agenda-set", (play, { agenda, asked }) => void Object.assign(play, { agenda, asked })],
  ["game-ended", (play, { outcome, winners }) => void (play.end = { outcome, winners })],
];
