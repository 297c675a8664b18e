/** Room 25 as the page knows it: one value (`games/contract.js`), made of what lies in this folder. */

import { h } from "../../dom.js";
import { createBoard } from "./board/board.js";
import { castTable } from "./board/cast.js";
import { chip } from "./board/chip.js";
import { createOrder } from "./board/order.js";
import { programmeHistory } from "./board/programmes.js";
import { createRoleCard } from "./board/role-card.js";
import { seatParts } from "./board/seat.js";
import { createSupplies } from "./board/supplies.js";
import { finale, motion } from "./board/scenery.js";
import { places, speakers } from "./board/speaking.js";
import { aim, targetText, targets } from "./board/targets.js";
import { textBoard } from "./board/text-board.js";
import { touched } from "./board/touched.js";
import { EVENTS } from "./fold/events.js";
import { initialPlay, playFromView, playToView } from "./fold/state.js";
import { actionSign } from "./forms/action-sign.js";
import { colorFace } from "./forms/color-face.js";
import { handedIn } from "./forms/handed-in.js";
import { PROGRAM_FORM } from "./forms/program-form.js";
import { about } from "./help/about.js";
import { knowledge } from "./help/knowledge.js";
import { invitation } from "./help/invitation.js";
import { legend } from "./help/legend.js";
import { named, terms } from "./help/terms.js";
import { tileStory } from "./help/tile-story.js";
import { beside } from "./log/beside.js";
import { chapter } from "./log/chapters.js";
import { HEADLINES, KINDS, MARKS, MARK_SHAPES, echoed, repeated, weight } from "./log/kinds.js";
import { OFFER } from "./offer.js";
import { endingOf } from "./words/ending.js";
import { SPELL, ownNames } from "./words/names.js";
import { limitOf, titleOf } from "./words/titles.js";
import { t } from "../../words.js";

const fold = {
  initial: initialPlay,
  events: EVENTS,
  fromView: playFromView,
  toView: playToView,
  turn: (play) => play.turn,
  lastTurn: (play) => play.last_turn,
  end: (play) => play.end,
};

function panels(options) {
  const { card, corner } = createRoleCard(options);
  return { above: [card, createOrder(options)], below: [createSupplies(options)], over: [corner] };
}

const board = {
  create: createBoard,
  text: textBoard,
  panels,
  seat: seatParts,
  history: programmeHistory,
  targets,
  aim,
  blank: () => null,
  targetText,
  places,
  speakers,
  touched,
  motion,
  finale,
  chip,
  cast: castTable,
};

const words = {
  ...OFFER.words,
  name: () => t("room25/name.game"),
  names: ownNames,
  subject: (book, id) => book.character(id).name,
  title: titleOf,
  ending: endingOf,
  limit: limitOf,
  inForce: () => [],
};

const forms = {
  drawn: { program: PROGRAM_FORM },
  confirmed: new Set(["reveal_guard"]),
  /** These say several things of each cell: they are easier to find cell by cell. */
  divided: new Set(["claim_color"]),
  face: colorFace,
  sign: actionSign,
  asForm: () => false,
  level: () => null,
  shortcuts: () => [],
  moment: () => null,
  standing: null,
  handedIn,
  /** Some modes programme for all to see, though a programme may still be changed. */
  isOpen: ({ kind }, book, state) => kind === "program" && Boolean(state) && book.mode(state.mode).open_programs,
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
  echoed,
  weight,
  chapter,
  characters: ({ character, order = [], limited = [] }) => [character, ...order, ...limited],
};

const help = { legend: (book) => h("div", {}, legend(book), terms(book)), invitation, named, about, story: tileStory, knowledge };

/** @type {import("../contract.js").Game} */
export const GAME = { fold, board, words, forms, log, help };
