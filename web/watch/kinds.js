/** What sort of thing each event is: for the filter of the log and the marks of the scrubber (pure). */

/** The sorts of every table; those of its game stand between the first and the others. */
const FIRST = "turn";
const LAST = ["end", "talk", "table", "clock", "engine"];

/** What only somebody who debugs wants to read. */
export const QUIET = "engine";

/** What players say. */
const TALK = "talk";

/** The sorts that are no part of a game's story. */
const BESIDE = [TALK, "table", "clock"];

const BY_KIND = {
  turn: ["table-started"],
  end: ["table-closed"],
  table: ["table-opened", "player-invited", "invitation-withdrawn", "invitation-declined", "seat-taken", "seat-left",
    "seat-readied", "seat-resigned", "inspection-began"],
  talk: ["phrase-said"],
  clock: ["seat-timed-out", "seat-went-absent", "seat-returned", "table-paused", "table-resumed", "time-extended",
    "store-restored", "pause-proposed", "pause-agreed", "pause-declined", "pause-began", "resumption-agreed"],
  engine: ["clock-started", "key-published"],
};

const inverse = (byKind) => Object.entries(byKind).flatMap(([kind, types]) => types.map((type) => [type, kind]));

const KIND_OF = new Map(inverse(BY_KIND));

/**
 * The sorts, in the order of the filter.
 *
 * @param {import("../games/contract.js").GameLog} log the game's.
 */
export function kindsOf(log) {
  const own = Object.keys(log.kinds).filter((kind) => kind !== FIRST && !LAST.includes(kind));
  return [FIRST, ...own, ...LAST];
}

/** The sort of an event type; of one that is not known, what the game says of such. */
export function kindOf(type, log) {
  return KIND_OF.get(type) ?? Object.keys(log.kinds).find((kind) => log.kinds[kind].includes(type)) ?? log.otherwise;
}

/** Whether an event belongs to what happens in the game, and not to what is said or arranged beside it. */
export const isStory = (type, log) => !BESIDE.includes(kindOf(type, log));

/** Whether players say it in words, which may be muted. */
export const isPhrase = (type) => BY_KIND.talk.includes(type);

/** The marks of every table; those of its game stand between the first and the others. */
const FIRST_MARK = "turn";
const LAST_MARKS = ["timeout", "ruling", "turning", "end"];

const BY_MARK = {
  timeout: ["seat-timed-out", "seat-went-absent"],
  ruling: ["seat-resigned", "table-paused", "table-resumed", "store-restored", "time-extended", "pause-began"],
  end: ["table-closed"],
};

/** The marks of the scrubber in the order of its legend. `ruling` is whatever comes between from outside the rules; `turning` is no event's (`Moments`). */
export function marksOf(log) {
  return [FIRST_MARK, ...Object.keys(log.markShapes), ...LAST_MARKS];
}

/** The mark of each type of event that has one, for `Timeline.marks`. */
export function markTypes(log) {
  return new Map([...inverse(BY_MARK), ...inverse(log.marks)]);
}

const HEADLINES = ["table-paused", "pause-proposed", "pause-began", "table-resumed", "store-restored", "table-closed"];

/** Whether an event is worth saying aloud while a game is played fast. */
export function isHeadline(type, log) {
  return HEADLINES.includes(type) || log.headlines.includes(type);
}
