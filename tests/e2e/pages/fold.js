/** What the tests of the page's fold do inside the browser. Each function answers with data for Python to judge. */

import { ChainError, canonical, extend, genesis, headsAfter, wrongOpenings } from "/web/fold/chain.js";
import { Book } from "/web/book.js";
import { games } from "./all.js";
import { bookFrom } from "/web/books.js";
import { parseLine, seen } from "/web/fold/lines.js";
import { Timeline } from "/web/fold/timeline.js";
import { gameOf } from "/web/games/registry.js";
import { Sentences } from "/web/sentences.js";
import { tables } from "/web/tables.js";
import { useWords } from "/web/words.js";
import { markTypes } from "/web/watch/kinds.js";
import { told as storyOf } from "/web/watch/story.js";
import { ranOut } from "/web/watch/time-outs.js";

await games();

const encoder = new TextEncoder();

const digest = async (text) => {
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", encoder.encode(text)));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
};

const timelineOf = (texts, made = new Timeline(tables)) => {
  texts.forEach((text) => made.append(parseLine(text)));
  return made;
};

/**
 * Writes the views of a game that goes on. A part that no event has replaced keeps its text: where one were changed in
 * its place, which folds may do to the state and its play alone, its text would be an old one, and wrong.
 */
class Writing {
  #texts = new Map();

  /** The canonical text of the view of a state. */
  text(state) {
    const view = tables.toView(state);
    const play = () => members(view.play, (name) => this.#kept(`play.${name}`, state.play[name], view.play[name], 1));
    return members(view, (name) => (name === "play" && view.play !== null ? play() : this.#kept(name, state[name], view[name], 1)));
  }

  #kept(path, part, view, depth) {
    if (view === null || typeof view !== "object") {
      return canonical(view);
    }
    const before = this.#texts.get(path);
    if (before?.part === part) {
      return before.text;
    }
    const isDeep = depth > 0 && !Array.isArray(view);
    const text = isDeep ? members(view, (name) => this.#kept(`${path}.${name}`, part[name], view[name], depth - 1)) : canonical(view);
    this.#texts.set(path, { part, text });
    return text;
  }
}

/** The canonical text of a map. */
const members = (map, textOf) =>
  `{${Object.keys(map).sort().map((name) => `${JSON.stringify(name)}:${textOf(name)}`).join(",")}}`;

/** A view as a text that is written soon: the order of its members is that in which they came. */
const spelt = (state) => JSON.stringify(tables.toView(state));

/** The view after each line, spelt. */
const spellings = (texts) => {
  const state = tables.initial();
  return texts.map((text) => spelt(tables.evolve(state, seen(parseLine(text)))));
};

/** Whether two values as JSON are the same, the order of members aside; canonical texts of them would take much longer. */
const alike = (one, other) => {
  if (one === null || other === null || typeof one !== "object" || typeof other !== "object") {
    return one === other;
  }
  const names = Object.keys(one);
  const same = (name) => Object.hasOwn(other, name) && alike(one[name], other[name]);
  return Array.isArray(one) === Array.isArray(other) && names.length === Object.keys(other).length && names.every(same);
};

/** Whether a state is the one that was spelt so. */
const is = (state, wanted) => spelt(state) === wanted || alike(tables.toView(state), JSON.parse(wanted));

const shuffled = (items, seed) => {
  const result = [...items];
  let lot = seed;
  for (let i = result.length - 1; i > 0; i -= 1) {
    lot = (lot * 1103515245 + 12345) % 2147483648;
    const j = lot % (i + 1);
    [result[i], result[j]] = [result[j], result[i]];
  }
  return result;
};

/** The view after each line, each as its canonical text. */
export function played(texts) {
  return written(texts.map((text) => seen(parseLine(text))));
}

/** The view after each event, each as its canonical text. */
function written(events) {
  const state = tables.initial();
  const writing = new Writing();
  return events.map((event) => writing.text(tables.evolve(state, event)));
}

/** The same as digests, and those of the texts that are hashed. */
export async function digests(texts) {
  const views = await Promise.all(played(texts).map(digest));
  const publics = await Promise.all(texts.map((text) => digest(parseLine(text).publicText)));
  return { views, publics };
}

/** Digests of the views after each event of some games, or only after the last one. */
export function folded(games, every) {
  const views = (events) => {
    if (every) {
      return Promise.all(written(events).map(digest));
    }
    const last = events.reduce((state, event) => tables.evolve(state, event), tables.initial());
    return Promise.all([digest(canonical(tables.toView(last)))]);
  };
  return Promise.all(games.map(views));
}

/** The versions at which a seek gives another view than playing on to them, sought in a random order. */
export function strayedSeeks(texts, seed) {
  const wanted = spellings(texts);
  const timeline = timelineOf(texts);
  const versions = shuffled([...wanted.keys()], seed).map((i) => i + 1);
  const strayed = versions.filter((version) => !is(timeline.at(version), wanted[version - 1]));
  return { sought: versions.length, strayed };
}

/** Seek while lines arrive: at each one, to the newest version, to a random one and to the one before. */
export function strayedWhileGrowing(texts, seed) {
  const wanted = spellings(texts);
  const timeline = new Timeline(tables);
  const kept = [];
  texts.forEach((text, i) => {
    timeline.append(parseLine(text));
    for (const version of [i + 1, 1 + ((seed * (i + 7)) % (i + 1)), Math.max(1, i)]) {
      kept.push({ version, state: timeline.at(version) });
    }
  });
  return kept.filter(({ version, state }) => !is(state, wanted[version - 1])).length;
}

/** Begin with each of some snapshots, go on with the lines after it: the versions where that is not the whole game. */
export function strayedFromSnapshots(texts, snapshots) {
  const wanted = spellings(texts).map((text) => JSON.parse(text));
  return snapshots.flatMap(({ version, state }) => {
    const timeline = timelineOf(texts.slice(version), Timeline.fromSnapshot(tables, { version, state }));
    const all = wanted.slice(version - 1).map((_, i) => version + i);
    const wrong = all.filter((each) => !alike(tables.toView(timeline.at(each)), wanted[each - 1]));
    const ends = timeline.first === version && timeline.last === texts.length;
    return [...wrong, ...(ends ? [] : [`${timeline.first} to ${timeline.last}`])];
  });
}

/** What reading a view and writing it again changes. */
export function respelt(views) {
  return views.filter((view) => canonical(tables.toView(tables.fromView(view))) !== canonical(view)).length;
}

/** Whether folding on changes a state that somebody holds, or what it was copied from. */
export function changedBehindOnesBack(texts) {
  const held = [];
  let state = tables.initial();
  for (const text of texts) {
    held.push({ state, text: canonical(state) });
    state = tables.evolve(tables.copy(state), seen(parseLine(text)));
  }
  return held.filter(({ state: each, text }) => canonical(each) !== text).length;
}

/** The heads of a log, or where its lines do not follow one another. */
export async function heads(game, texts) {
  const begin = await genesis(game);
  try {
    return { genesis: begin, heads: await headsAfter(begin, 0, texts.map(parseLine)) };
  } catch (error) {
    if (!(error instanceof ChainError)) {
      throw error;
    }
    return { due: error.version };
  }
}

/** The head made line by line, as a page does that follows a game. */
export async function headLineByLine(game, texts) {
  let head = await genesis(game);
  for (const [i, text] of texts.entries()) {
    head = await extend(head, i + 1, parseLine(text).publicText);
  }
  return head;
}

/** How many openings hold, and those that do not, as [version, path]. */
export async function openings(texts) {
  const lines = texts.map(parseLine);
  const wrong = lines.map(async (line) => (await wrongOpenings(line)).map((path) => [line.version, path]));
  const opened = lines.reduce((n, line) => n + Object.keys(line.opened).length, 0);
  return { opened, wrong: (await Promise.all(wrong)).flat() };
}

/** How a timeline is cut into turns and steps, and what is marked on it. */
export function shape(texts) {
  const timeline = timelineOf(texts);
  const versions = texts.map((_, i) => i + 1);
  return {
    first: timeline.first,
    last: timeline.last,
    turns: timeline.turns(),
    batches: timeline.batches(),
    marks: timeline.marks(markTypes(gameOf(timeline.at(timeline.last).game).log)),
    settled: versions.filter((version) => timeline.settled(version)),
    next: versions.map((version) => timeline.nextStep(version)),
    previous: versions.map((version) => timeline.previousStep(version)),
    lines: versions.filter((version) => timeline.line(version).version !== version),
    outside: [timeline.line(0), timeline.line(texts.length + 1)],
  };
}

/** What a timeline does with lines that come again, or too soon, and with versions that it has not. */
export function refusals(texts) {
  const lines = texts.map(parseLine);
  const timeline = timelineOf(texts.slice(0, 10));
  const said = (act) => {
    try {
      return act();
    } catch (error) {
      return error.name;
    }
  };
  const found = {
    empty: [new Timeline(tables).first, new Timeline(tables).last, new Timeline(tables).turns().length],
    again: timeline.append(lines[4]),
    tooSoon: said(() => timeline.append(lines[11])),
    outside: [0, 11, 1.5, NaN].map((version) => said(() => timeline.at(version).phase)),
  };
  const stranger = parseLine('{"at":1,"event":{"character":"nobody","type":"character-hid"},"v":11}');
  found.misfit = said(() => timeline.append(stranger));
  found.last = timeline.last;
  timeline.truncate(4);
  found.truncated = [timeline.last, timeline.batches().at(-1).last, said(() => timeline.at(5).phase)];
  texts.slice(4).forEach((text) => timeline.append(parseLine(text)));
  found.regrown = canonical(tables.toView(timeline.at(texts.length))) === played(texts).at(-1);
  timeline.truncate();
  found.emptied = [timeline.first, timeline.last, timeline.batches().length, timeline.turns().length];
  return found;
}

/** The longest seek and the whole fold of a game, in milliseconds. */
export function measure(texts, seed) {
  const lines = texts.map(parseLine);
  const begun = performance.now();
  const state = tables.initial();
  lines.forEach((line) => tables.evolve(state, seen(line)));
  const fold = performance.now() - begun;
  const filling = performance.now();
  const timeline = timelineOf(texts);
  const filled = performance.now() - filling;
  const seeks = shuffled([...texts.keys()], seed).map((i) => {
    const from = performance.now();
    timeline.at(i + 1);
    return performance.now() - from;
  });
  return { fold, filled, slowest: Math.max(...seeks), mean: seeks.reduce((a, b) => a + b, 0) / seeks.length };
}

/** The state after the lines and then an event, as a view. */
export function after(texts, event) {
  const state = tables.initial();
  texts.forEach((text) => tables.evolve(state, seen(parseLine(text))));
  return tables.toView(tables.evolve(state, event));
}

/** The name of the error of reading a text as a line, or null. */
export function refused(text) {
  try {
    parseLine(text);
    return null;
  } catch (error) {
    return error.name;
  }
}

/** Every event as the page tells it, by the rulebook of the game; who plays, it does not ask. `words` are the page's own. */
export function told(json, texts, words) {
  useWords(json.language, { words });
  const book = bookFrom(json);
  const timeline = timelineOf(texts);
  const { beside, spell } = gameOf(book.game).log;
  const sentences = new Sentences(book, spell);
  return texts.map(parseLine).map((line) => {
    const event = seen(line);
    const whole = { ...event, ...beside(event, { version: line.version, timeline }) };
    return sentences.tell(whole, (seat) => `?${seat}`);
  });
}

/** What becomes of templates: how they are told, or that they are none. */
export function filled(templates, json, event) {
  const player = (seat) => `player ${seat}`;
  return templates.map((text) => {
    const book = new Book({ ...json, words: { ...json.words, "event.it": text } });
    try {
      return new Sentences(book, {}).tell({ ...event, type: "it" }, player);
    } catch (error) {
      return error.name;
    }
  });
}

/** The sentences for some events as they are seen, each by what was seen before it. */
export function toldEvents(json, events) {
  const book = bookFrom(json);
  const { fold, log } = gameOf(book.game);
  const sentences = new Sentences(book, log.spell);
  const play = fold.initial();
  let before = null;
  return events.map((event, i) => {
    before = { ...play };
    const timeline = { first: 0, at: () => ({ play: before }) };
    const whole = { ...event, ...log.beside(event, { version: i + 1, timeline }) };
    fold.events.get(event.type)?.(play, event);
    return sentences.tell(whole, (seat) => `?${seat}`);
  });
}

/** What answers to a decision are called, by the state after some lines and by none. */
export function answers(json, texts, words, decision) {
  useWords(json.language, { words });
  const book = bookFrom(json);
  const timeline = timelineOf(texts);
  const called = (state) => decision.options.map((option) => book.option(decision, option, state));
  return [called(timeline.at(timeline.last)), called(null)];
}

/** The sentences for some events of which nothing was seen before. */
export function toldAlone(json, events) {
  const book = bookFrom(json);
  const { log } = gameOf(book.game);
  const sentences = new Sentences(book, log.spell);
  const timeline = { first: 0, last: 0, at: () => ({ play: null }) };
  return events.map((event) => sentences.tell({ ...event, ...log.beside(event, { version: 0, timeline }) }, (seat) => `?${seat}`));
}

/** Which of some events are told once all have happened, by their places. */
export function story(game, events) {
  const lines = events.map((event, i) => ({ version: i + 1, event }));
  const timeline = { line: (version) => lines[version - 1] };
  return storyOf(timeline, { from: 0, to: lines.length }, gameOf(game).log).map(({ version }) => version - 1);
}

/** Whose time ran out in which wait, `[key, seat]`, as it is told of each version at which that wait was on. */
export function late(texts) {
  const timeline = timelineOf(texts);
  const found = texts.flatMap((_, i) => {
    const { clock, seats } = timeline.at(i + 1);
    return clock === null ? [] : Object.keys(seats).filter((seat) => ranOut(timeline, Number(seat), i + 1)).map((seat) => [clock.key, Number(seat)]);
  });
  return { found, outside: [ranOut(timeline, 1, 0), ranOut(timeline, 1, texts.length + 1)] };
}
