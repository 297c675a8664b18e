/** Programmes as they were planned and as they were carried out, from a turn's events (pure). */

import { CENTRE } from "../fold/grid.js";
import { OPPOSITE, linesThrough } from "./geometry.js";

/** The slot of an action by adrenaline. */
export const THIRD = 3;

/**
 * One action of a character in a turn.
 *
 * @typedef {Object} Step
 * @property {number} slot 1, 2, or `THIRD` for adrenaline.
 * @property {string|null} planned the token that was programmed: null is one that the viewer does not know, "" none.
 * @property {string|null} executed the token that was carried out or lost at its time; null: none yet.
 * @property {"planned"|"open"|"done"|"lost"|"unused"} status open: turned up, but its effect is still to come; unused: the
 *   game was over before.
 * @property {string|null} reason why it was lost or not used: a word of `lost.*`.
 * @property {boolean} drawn the action was drawn at random (paranoia).
 * @property {number|null} version of the event that turned it up or lost it.
 */

/**
 * What a character did in a turn.
 *
 * @typedef {Object} Programme
 * @property {string} character
 * @property {boolean} submitted
 * @property {boolean} closed the number of actions is known.
 * @property {boolean} delayed its single action was put off.
 * @property {boolean} passed
 * @property {boolean} free acts without a programme.
 * @property {Step[]} steps in their order.
 * @property {Array<string|null>|null} planned the tokens as far as they are known; null: not even how many.
 * @property {string[]} executed the tokens that were carried out.
 * @property {Array<{token: string|null, reason: string}>} lost
 */

/**
 * The programmes of the turns that some events tell.
 *
 * @param {Array<{version: number, event: Object}>} lines events as the viewer may see them, in order, from a turn's
 *   beginning on; what came before the first turn-began counts for turn 1.
 * @param {{stateAt?: (version: number) => any}} options the table's state at a version, for finer reasons.
 * @returns {Map<number, Map<string, Programme>>} by turn, by character.
 */
export function programmeHistory(lines, { stateAt } = {}) {
  const turns = new Map();
  let turn = 1;
  for (const { version = null, event } of lines) {
    if (event.type === "turn-began" || event.type === "situation-set") {
      settle(turns.get(turn) ?? new Map());
      turn = event.turn;
    }
    if (!turns.has(turn)) {
      turns.set(turn, new Map());
    }
    TOLD[event.type]?.(turns.get(turn), event, { version, stateAt });
  }
  return turns;
}

/** Why an action had no legal aim, as far as the state at that moment tells: a word of `lost.*`. */
export function whyLost(token, character, play) {
  const c = play?.characters?.[character];
  const tile = c?.cell ? play.grid[c.cell] : null;
  if (tile === null) {
    return "impossible";
  }
  const kind = tile.up ? tile.kind : null;
  const central = c.cell === CENTRE ? "centre" : null;
  const company = Object.values(play.characters).some(
    (other) => other.id !== c.id && other.cell === c.cell && !other.hidden,
  );
  const stuck = kind === "jail" ? "no_company" : "blocked";
  const reasons = {
    look: kind === "dark" ? "no_light" : "nothing_to_see",
    move: stuck,
    push: central ?? (company ? "blocked" : "nobody"),
    control: central ?? (marked(c.cell, play) ? "markers" : "impossible"),
    special: central ?? "no_use",
  };
  return reasons[token] ?? "impossible";
}

function marked(cell, play) {
  return linesThrough(cell).every((line) => play.markers?.[line] in OPPOSITE);
}

const TOLD = {
  "program-submitted": (all, { character, tokens, adrenaline }) => {
    Object.assign(of(all, character), { submitted: true });
    plan(of(all, character), tokens ?? null, adrenaline ?? null);
  },
  "program-shown": (all, { character, tokens, adrenaline }) => {
    Object.assign(of(all, character), { submitted: true });
    plan(of(all, character), tokens, Boolean(adrenaline));
  },
  "programming-closed": (all, { actions, adrenaline = [] }) => {
    for (const [character, count] of Object.entries(actions)) {
      const it = of(all, character);
      it.closed = true;
      plan(it, it.planned ?? Array(count).fill(null), adrenaline.includes(character));
    }
  },
  "token-replaced": (all, { character, tokens }) => {
    const it = of(all, character);
    const unseen = (it.planned ?? []).map((token, i) => (it.steps[i]?.status === "planned" ? null : token));
    plan(
      it,
      tokens ?? unseen,
      it.steps.some(({ slot }) => slot === THIRD),
    );
  },
  "guard-freed": (all, { character }) => {
    of(all, character).free = true;
  },
  "action-delayed": (all, { character }) => {
    of(all, character).delayed = true;
  },
  "action-passed": (all, { character }) => {
    of(all, character).passed = true;
  },
  "action-revealed": revealed,
  "action-lost": (all, { character, token }, { version, stateAt }) => {
    const it = of(all, character);
    const step = it.steps.findLast((each) => each.executed === token);
    const reason = whyLost(token, character, stateAt?.(version)?.play);
    it.executed.splice(it.executed.lastIndexOf(token), 1);
    lose(it, step, token, reason, version);
  },
  "token-discarded": (all, { character, slot, token }, { version }) => {
    const it = of(all, character);
    lose(
      it,
      it.steps.find((each) => each.slot === slot),
      token,
      "penalty",
      version,
    );
  },
  "program-cancelled": (all, { character }, { version }) => drop(of(all, character), "cancelled", version),
  "character-eliminated": (all, { character }, { version }) => drop(of(all, character), "died", version),
  "slot-began": (all) => settle(all),
  "agenda-set": (all, { agenda }) => settle(all, acting(agenda)),
  "game-ended": (all, _, { version }) => {
    settle(all);
    for (const step of [...all.values()].flatMap((it) => it.steps).filter(({ status }) => status === "planned")) {
      Object.assign(step, { status: "unused", reason: "ended", version });
    }
  },
};

/** Whose action is still to be ended: it has been turned up, and its target may not be chosen yet. */
function acting(agenda) {
  return new Set(agenda.filter(([frame]) => frame === "action-end").map(([, character]) => character));
}

/** What has been turned up is done, but for those who are not through with it. */
function settle(all, busy = new Set()) {
  for (const { character, steps } of all.values()) {
    for (const step of steps.filter(({ status }) => status === "open" && !busy.has(character))) {
      step.status = "done";
    }
  }
}

function of(all, character) {
  if (!all.has(character)) {
    const empty = { submitted: false, closed: false, delayed: false, passed: false, free: false };
    all.set(character, { character, ...empty, steps: [], planned: null, executed: [], lost: [] });
  }
  return all.get(character);
}

/** Lays out the steps that a plan has, and leaves those that have been carried out as they are. */
function plan(it, tokens, adrenaline) {
  it.planned = tokens === null ? it.planned : [...tokens];
  const slots = (tokens ?? []).map((token, i) => [i + 1, token]);
  for (const [slot, token] of [...slots, ...(adrenaline ? [[THIRD, null]] : [])]) {
    const step = it.steps.find((each) => each.slot === slot);
    if (step === undefined) {
      it.steps.push({
        slot,
        planned: token,
        executed: null,
        status: "planned",
        reason: null,
        drawn: false,
        version: null,
      });
    } else if (step.status === "planned") {
      step.planned = token;
    }
  }
  if (tokens !== null) {
    it.steps = it.steps.filter(
      (step) =>
        step.status !== "planned" || step.slot <= tokens.length || (step.slot === THIRD && adrenaline !== false),
    );
  }
  it.steps.sort((a, b) => a.slot - b.slot);
}

function revealed(all, { character, slot, token, drawn = false }, { version }) {
  const it = of(all, character);
  const third = slot >= THIRD;
  const programmed = it.steps.filter((step) => (step.slot === THIRD) === third && step.status === "planned");
  // A single action may lie in slot 1 and be carried out in round 2; one who is free has no steps before its actions.
  const step =
    programmed.find((each) => each.slot === (third ? THIRD : slot)) ?? programmed[0] ?? added(it, third ? THIRD : slot);
  if (drawn && step.planned !== token && step.planned !== "") {
    it.lost.push({ token: step.planned, reason: "paranoia" });
  }
  Object.assign(step, { executed: token, status: "open", drawn, version, planned: drawn ? step.planned : token });
  it.executed.push(token);
}

function added(it, slot) {
  const step = { slot, planned: "", executed: null, status: "planned", reason: null, drawn: false, version: null };
  it.steps.push(step);
  return step;
}

function lose(it, step, token, reason, version) {
  if (step) {
    Object.assign(step, { planned: step.planned || token, status: "lost", reason, version });
  }
  it.lost.push({ token, reason });
}

function drop(it, reason, version) {
  for (const step of it.steps.filter(({ status }) => status === "planned")) {
    lose(it, step, step.planned, reason, version);
  }
}
