/** The lesson of Room 25: two prisoners, six moves, and the way out (pure, but for its words). */

import { t } from "../../words.js";

/** Who is led: the one finds Room 25, the other is the first to be in it. */
const [FINDER, FRIEND] = ["franck", "jennifer"];

const TRAP = "r0c3";
const BESIDE = "r1c3";
const FOUND = "r1c4";
const CORNER = "r0c4";

const table = {
  rulebook: "first_edition",
  mode: "solo",
  seats: 1,
  options: {},
  bot: null,
  scenario: {
    characters: { [FINDER]: { seat: 1, cell: BESIDE }, [FRIEND]: { seat: 1, cell: "r1c2" } },
    only_named: true,
    phase: "programming",
    turn: 1,
    tiles: {
      [FOUND]: { kind: "room25", face: "down" },
      [TRAP]: { kind: "trap", face: "down" },
      r2c3: { kind: "acid", face: "down" },
    },
  },
};

const cellOf = (play, character) => play.characters[character]?.cell ?? null;
const went = (event, character, cause, cell) => event.type === "character-moved" && event.character === character && event.cause === cause && event.cell === cell;

/** The action that is asked of whoever acts: that of the step if it is theirs, and to pass if it is not. */
const only = (character, token) => (play) => (play.actor === character ? token : "pass");

/** In the second action of a turn one goes into the trap, with the first of the next one out of it. Whoever passes twice has to act. */
function aroundTheTrap(play) {
  if (play.actor === FRIEND) {
    return play.round === 1 ? "look" : "pass";
  }
  return play.round === 1 && cellOf(play, FINDER) !== TRAP ? "pass" : "move";
}

function trapHint(play) {
  if (cellOf(play, FINDER) === TRAP) {
    return "trap_leave";
  }
  const wanted = aroundTheTrap(play);
  return { look: "trap_look", pass: "trap_wait", move: "trap_enter" }[wanted];
}

/**
 * The steps: where the two stand in each, what is asked of whoever acts, which hint says it, and what completes it.
 *
 * @type {Array<{id: string, finder: string[], friend: string[], wanted: (play: any) => string, hint?: (play: any) => string,
 *   done: (event: any, before: any) => boolean}>}
 */
const COURSE = [
  { id: "look", finder: [BESIDE], friend: ["r1c2"], wanted: only(FINDER, "look"), done: ({ type }) => type === "room-peeked" },
  { id: "move", finder: [BESIDE], friend: ["r1c2"], wanted: only(FRIEND, "move"), done: (event) => went(event, FRIEND, "move", BESIDE) },
  { id: "push", finder: [BESIDE], friend: [BESIDE], wanted: only(FINDER, "push"), done: (event) => went(event, FRIEND, "push", FOUND) },
  {
    id: "control",
    finder: [BESIDE],
    friend: [FOUND],
    wanted: only(FRIEND, "control"),
    done: ({ type, line, way }) => type === "line-shifted" && line === "col4" && way === "up",
  },
  {
    id: "trap",
    finder: [BESIDE, TRAP],
    friend: [CORNER],
    wanted: aroundTheTrap,
    hint: trapHint,
    done: (event, before) => went(event, FINDER, "move", CORNER) && cellOf(before, FINDER) === TRAP,
  },
  { id: "exit", finder: [CORNER], friend: [CORNER], wanted: () => "control", hint: () => "exit", done: ({ type, winners = [] }) => type === "game-ended" && winners.length > 0 },
];

/** @param {(typeof COURSE)[number]} entry @returns {import("../contract.js").LessonStep} */
function stepOf({ id, finder, friend, wanted, hint, done }) {
  const said = hint ?? ((play) => (wanted(play) === "pass" ? "wait" : id));
  return {
    id,
    name: () => t(`room25/lesson.${id}.name`),
    hint: (play) => t(`room25/lesson.${said(play)}`),
    done,
    fits: (event, before) => (event.type === "action-passed" ? "pass" : event.token) === wanted(before),
    stuck: (play) => play.end !== null || !finder.includes(cellOf(play, FINDER)) || !friend.includes(cellOf(play, FRIEND)),
  };
}

/** @type {import("../contract.js").Lesson} */
export const LESSON = {
  table,
  steps: COURSE.map(stepOf),
  isAct: ({ type }) => type === "action-revealed" || type === "action-passed",
};
