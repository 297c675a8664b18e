/** Event lines as the service sends them (docs/audit.md, "The record"): taken apart, but never written anew. */

const MARK = ',"opened":';

/**
 * @typedef {Object} Line an event with what was recorded about it.
 * @property {number} version counted from 1.
 * @property {number} at milliseconds since 1970, UTC.
 * @property {Object} event its `type` and its public fields.
 * @property {Object|null} batch who gave which command; only on the first event that the command made.
 * @property {Object<string, string>} seals the commitments of the event's secret fields, by field name.
 * @property {Object<string, {salt: string, value: *}>} opened what this reader may open, by path ("event.tokens").
 * @property {number} shape the form of the event's type, 1 being its first.
 * @property {string} publicText the very text that is hashed.
 */

/**
 * Take a line apart.
 *
 * @param {string} text one line of the event log, without its line break.
 * @returns {Line}
 * @throws {SyntaxError} it is not an event line.
 */
export function parseLine(text) {
  const { fields, opened, publicText } = split(text);
  if (!Number.isSafeInteger(fields?.v) || typeof fields.event?.type !== "string") {
    throw new SyntaxError("not an event line");
  }
  return {
    version: fields.v,
    at: fields.at,
    event: fields.event,
    batch: fields.batch ?? null,
    seals: fields.seals ?? {},
    opened,
    shape: fields.shape ?? 1,
    publicText,
  };
}

/**
 * The event as this reader may see it: with the fields that were opened, without those that are still sealed.
 *
 * @param {Line} line
 * @returns {Object} `line.event` itself where nothing was opened.
 */
export function seen(line) {
  const fields = Object.entries(line.opened)
    .filter(([path]) => path.startsWith("event."))
    .map(([path, { value }]) => [path.slice("event.".length), value]);
  return fields.length === 0 ? line.event : { ...line.event, ...Object.fromEntries(fields) };
}

/**
 * `opened` is the last member of a line, if it is there. A member of that name further inside may look alike, but what
 * stands before it is no object even with one more brace.
 */
function split(text) {
  for (let at = text.indexOf(MARK); at >= 0; at = text.indexOf(MARK, at + 1)) {
    const publicText = `${text.slice(0, at)}}`;
    const fields = parsed(publicText);
    if (fields !== null) {
      return { fields, opened: onlyOpened(`{${text.slice(at + 1)}`), publicText };
    }
  }
  return { fields: JSON.parse(text), opened: {}, publicText: text };
}

function onlyOpened(text) {
  const rest = JSON.parse(text);
  if (Object.keys(rest).length !== 1) {
    throw new SyntaxError("something follows the openings of an event line");
  }
  return rest.opened;
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
