/** How the events of cards and windows are recorded in a play (pure). What a reader may not know of a card is null. */

import { give, pileUp, takeAway } from "./hands.js";
import { change } from "./pieces.js";
import { addTo, changed, without } from "./state.js";

const drawn = (play, { seat, number = null, credits = null, card = null }) => {
  play.deck_size -= 1;
  play.deck = play.deck && play.deck.slice(1);
  if (credits !== null) {
    play.credits = [...play.credits, credits];
  }
  if (number !== null) {
    give(play, seat, number, card);
  }
};

const dealt = (play, { seat, numbers, cards = [] }) => {
  numbers.forEach((number, i) => give(play, seat, number, cards[i]));
};

const returned = (play, { card }) => {
  play.credits = play.credits.filter((each) => each !== card);
  play.modifiers = play.modifiers.filter((each) => each.card !== card);
};

const yielded = (play, { seat, order = null }) => {
  play.yields = order === null ? without(play.yields, seat) : { ...play.yields, [seat]: order };
  if (play.window !== null) {
    play.window = changed(play.window, { suspended: (play.window.suspended ?? []).filter((each) => each !== seat) });
  }
};

const opened = (play, { number, kind, trigger }) => {
  play.windows = number;
  play.window = { number, kind, trigger };
};

const version = (play, event) => {
  if (play.window !== null) {
    const { version: n, trigger, order, passed } = event;
    play.window = changed(play.window, { version: n, trigger, order, passed, answers: {} });
  }
};

const answered = (play, { seat, choice = null }) => {
  if (play.window !== null) {
    play.window = changed(play.window, { answers: { ...play.window.answers, [seat]: choice } });
  }
};

/** What the others have sealed is void, and gone. */
const judged = (play) => {
  play.window = play.window && changed(play.window, { answers: {} });
};

const played = (play, event) => {
  const { seat, number, card, designated = [], side = null } = event;
  takeAway(play, seat, [number]);
  play.played = addTo(play.played, seat, 1);
  if (!event.weather) {
    pileUp(play, seat, [card]);
  } else {
    if (play.weather !== null) {
      pileUp(play, play.weather.seat, [play.weather.card]);
    }
    play.weather = { card, seat };
  }
  play.media_lock = play.media_lock || Boolean(event.media);
  for (const name of designated) {
    change(play, [name], { touched_by: [...(play.pieces[name]?.touched_by ?? []), seat] });
  }
  if (play.window !== null) {
    const before = play.window.suspended ?? [];
    const suspended = play.seats.filter((each) => each !== seat || before.includes(each));
    play.window = changed(play.window, { last: { seat, card, designated }, suspended });
  }
  if (play.fight !== null && side !== null) {
    play.fight = changed(play.fight, { last_side: side });
  }
};

const dropped = (play, { seat, cards }) => {
  takeAway(play, seat, Object.keys(cards));
  pileUp(play, seat, Object.values(cards));
};

const taken = (play, { seat, number, taker, taker_number, card = null }) => {
  const known = card ?? play.hands[seat]?.[number];
  takeAway(play, seat, [number]);
  give(play, taker, taker_number, known);
};

const received = (play, { seat, number, card = null }) => give(play, seat, number, card ?? play.hands[seat]?.[number]);

/** @param {Told.CerveauuuState} play @param {{owner: number, cards?: Object<string, string>|null}} event */
const seenHand = (play, { owner, cards = null }) => {
  if (cards !== null) {
    play.hands = { ...play.hands, [owner]: { ...play.hands[owner], ...cards } };
  }
};

const swapped = (play, { seat, number, card }) => {
  takeAway(play, seat, [number]);
  pileUp(play, seat, [card]);
  play.swapped = [...play.swapped, seat];
};

const discarded = (play, { cards }) => {
  play.discards = {};
  for (const [seat, lost] of Object.entries(cards)) {
    takeAway(play, seat, Object.keys(lost));
    pileUp(play, seat, Object.values(lost));
  }
};

const fired = (play, { trigger }) => {
  const text = JSON.stringify(trigger, Object.keys(trigger).sort());
  const isIt = (each) => JSON.stringify(each, Object.keys(each).sort()) === text;
  play.triggers = play.triggers.filter((each) => !isIt(each));
};

const effectsEnded = (play, { lasts, card = null }) => {
  const stays = (each) => each.lasts !== lasts || (card !== null && each.card !== card);
  play.modifiers = play.modifiers.filter(stays);
  play.bans = play.bans.filter(stays);
  play.triggers = play.triggers.filter(stays);
};

/** @type {Array<[string, (play: any, event: any) => void]>} */
export const CARD_EVENTS = [
  ["card-drawn", drawn],
  ["hand-dealt", dealt],
  ["credits-returned", returned],
  ["credits-need-raised", (play, { need }) => void (play.credits_need = need)],
  ["replacement-chosen", (play, { seat, replace }) => void (play.replacing = { ...play.replacing, [seat]: replace })],
  ["yield-chosen", yielded],
  ["yields-ended", (play, { seats }) => void (play.yields = without(play.yields, ...seats))],
  ["window-opened", opened],
  ["version-began", version],
  ["answer-given", answered],
  ["version-judged", judged],
  ["card-played", played],
  ["window-closed", (play) => void (play.window = null)],
  ["cards-dropped", dropped],
  ["card-taken", taken],
  ["card-received", received],
  ["hand-seen", seenHand],
  ["card-swapped", swapped],
  ["discard-chosen", (play, { seat, numbers = null }) => void (play.discards = { ...play.discards, [seat]: numbers })],
  ["discards-judged", discarded],
  ["modifier-added", (play, { modifier }) => void (play.modifiers = [...play.modifiers, modifier])],
  ["ban-added", (play, { ban }) => void (play.bans = [...play.bans, ban])],
  ["trigger-armed", (play, { trigger }) => void (play.triggers = [...play.triggers, trigger])],
  ["trigger-fired", fired],
  ["effects-ended", effectsEnded],
];
