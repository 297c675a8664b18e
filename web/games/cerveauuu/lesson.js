/** The lesson of Cerveauuu!: a movement is planned, the window after it is answered, and a human is eaten (pure, but for its words). */

import { t } from "../../words.js";

/** The seat of whoever learns. */
const OWN = 1;

const table = {
  rulebook: "prototype",
  mode: "standard",
  seats: 2,
  options: {},
  bot: "steady",
  scenario: {
    pieces: {
      h01: { cell: "r9c9" },
      h02: { cell: "r17c17" },
      z01: { cell: "r9c5", seat: OWN },
      z02: { cell: "r17c2", seat: 2 },
    },
    stage: "zombies",
    chief: OWN,
    hands: { [OWN]: ["c054"] },
  },
};

/** Whether it is no longer the learner's go, or the game is over. */
const isPast = (play) => play.end !== null || play.go !== OWN;

/** @param {string} id @param {(event: any) => boolean} done @returns {import("../contract.js").LessonStep} */
function stepOf(id, done) {
  return {
    id,
    name: () => t(`cerveauuu/lesson.${id}.name`),
    hint: () => t(`cerveauuu/lesson.${id}`),
    done,
    fits: (event) => done(event) || event.type === "answer-given",
    stuck: isPast,
  };
}

/** @type {import("../contract.js").Lesson} */
export const LESSON = {
  table,
  steps: [
    stepOf("plan", ({ type, attack }) => type === "zombie-activated" && typeof attack === "string"),
    stepOf("window", ({ type, seat }) => type === "answer-given" && seat === OWN),
    stepOf("bite", ({ type, seat }) => type === "human-eaten" && seat === OWN),
  ],
  isAct: ({ type, seat }) => type === "zombie-activated" || (type === "answer-given" && seat === OWN),
};
