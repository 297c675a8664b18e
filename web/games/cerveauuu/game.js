/** Cerveauuu! as the page knows it: one value (`games/contract.js`), made of what lies in this folder. */

import { aim, blank } from "./board/aim.js";
import { createBoard } from "./board/board.js";
import { castTable } from "./board/cast.js";
import { chip } from "./board/figures.js";
import { createHand } from "./board/hand-panel.js";
import { seatParts } from "./board/seat.js";
import { createTable } from "./board/table-panel.js";
import { places, speakers } from "./board/speaking.js";
import { finale, motion } from "./board/later.js";
import { targetText, targets, touched } from "./board/targets.js";
import { textBoard } from "./board/text-board.js";
import { createWindow } from "./board/window-panel.js";
import { endingOf } from "./words/ending.js";
import { inForce } from "./words/in-force.js";
import { stillToPlace } from "./words/placing.js";
import { prospect } from "./words/prospect.js";
import { EVENTS } from "./fold/events.js";
import { initialPlay } from "./fold/state.js";
import { anchorLevel, areMoments } from "./forms/anchor-level.js";
import { faceOf } from "./forms/faces.js";
import { handedIn } from "./forms/handed-in.js";
import { moment } from "./forms/slots.js";
import { STANDING } from "./forms/standing.js";
import { shortcuts } from "./forms/yields.js";
import { named } from "./help/about.js";
import { invitation } from "./help/invitation.js";
import { knowledge } from "./help/knowledge.js";
import { legend } from "./help/legend.js";
import { about } from "./help/place.js";
import { pieceStory } from "./help/story.js";
import { HEADLINES, KINDS, MARKS, MARK_SHAPES, chapter, repeated, weight } from "./log/kinds.js";
import { SPELL, beside } from "./log/spelling.js";
import { OFFER } from "./offer.js";
import { capitalised, t } from "../../words.js";

const fold = {
  initial: initialPlay,
  events: EVENTS,
  fromView: (play) => ({ ...initialPlay(), ...play }),
  toView: (play) => play,
  turn: (play) => play.round,
  lastTurn: () => null,
  end: (play) => play.end,
};

/** @type {import("../contract.js").GameBoard} */
const board = {
  create: createBoard,
  text: textBoard,
  panels: (options) => ({ above: [createWindow(options), createHand(options)], below: [createTable(options)], over: [] }),
  seat: seatParts,
  history: () => null,
  targets,
  aim,
  blank,
  targetText,
  places,
  speakers,
  touched,
  motion,
  finale,
  chip: (subject, given) => (given.play?.pieces?.[subject] ? chip(given.play.pieces[subject], given.play, given.size) : null),
  cast: castTable,
};

const words = {
  ...OFFER.words,
  name: () => t("cerveauuu/name.game"),
  names: (book, names) => ({ ...names, cell: (cell) => book.cell(cell), piece: (play, id) => book.piece(play, id) }),
  subject: (book, id) => capitalised(book.piece(null, id)),
  title: (decision, book) => book.decision(decision.kind),
  ending: endingOf,
  limit: (decision, book, state) => stillToPlace(decision, book, state) ?? prospect(decision, book, state),
  inForce,
};

const forms = {
  drawn: {},
  confirmed: new Set(),
  divided: new Set(),
  face: faceOf,
  sign: () => null,
  asForm: areMoments,
  level: anchorLevel,
  shortcuts,
  moment,
  standing: STANDING,
  handedIn,
  isOpen: () => false,
  ...OFFER.forms,
};

const log = {
  spell: SPELL,
  beside,
  kinds: KINDS,
  otherwise: "engine",
  marks: MARKS,
  markShapes: MARK_SHAPES,
  headlines: HEADLINES,
  repeated,
  echoed: () => false,
  weight,
  chapter,
  characters: () => [],
};

const help = { legend, invitation, named, about, story: pieceStory, knowledge };

/** @type {import("../contract.js").Game} */
export const GAME = { fold, board, words, forms, log, help };
