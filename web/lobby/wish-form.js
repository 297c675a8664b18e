/** The fields for opening a table, drawn from what the rulebook offers. */

import { botChoices } from "../called.js";
import { h } from "../dom.js";
import { offerOf } from "../games/registry.js";
import { labelledMenu } from "../menu.js";
import { rulesLink } from "../rules-address.js";
import { has, number, t, tn } from "../words.js";
import { TOURNAMENT, TOURNAMENT_MAX } from "../tournaments.js";
import { numberField, radios, textField, tick } from "./fields.js";
import { optionsOf, paceOf, playersIn, titleOf } from "./wish.js";

const PLAYER_ID = /^p[0-9a-f]{2}-[0-9a-hjkmnp-tv-z]{26}$/;
const BOT_PACES_MS = [0, 1500, 4000];

/**
 * All fields.
 *
 * @param {object} given
 * @param {object} given.wish one that fits the rulebook, see `wish.js`.
 * @param {import("../book.js").Book} given.book
 * @param {{rulebooks: Array, bots: string[]}} given.list what can be played.
 * @param {(part: object, how?: {alone?: boolean}) => void} given.change takes the parts of the wish that are new;
 *   `alone`: nothing else on the form depends on them.
 * @returns {HTMLElement[]}
 */
export function drawWish(given) {
  return [gameFields(given), peopleFields(given), optionFields(given), timeFields(given), publicFields(given), tournamentField(given)];
}

let drawings = 0;

/** A game may know its own fields by variables: they are never patched (`patch.js`), for no drawing has the key of another. */
function anew(element) {
  drawings += 1;
  element.dataset.key = `drawing-${drawings}`;
  return element;
}

function openingOf(book) {
  return offerOf(book.game).forms.opening;
}

function part(title, ...children) {
  return h("section", { class: "card part" }, h("h2", {}, title), ...children);
}

/** A part of which one has to know no more than what is chosen there, and that is playable. */
function folded(id, title, chosen, ...children) {
  return h("details", { class: "card part", id }, h("summary", {}, title, chosen && h("small", {}, ` · ${chosen}`)), ...children);
}

function gameFields({ wish, book, list, change }) {
  const mode = book.mode(wish.mode);
  const choose = (name) => (value) => change({ [name]: value });
  return part(
    t("new.game"),
    radios({
      name: "rulebook",
      kind: "cards",
      legend: t("new.rulebook"),
      choices: list.rulebooks.map((each) => ({ value: titleOf(each.game, each.id), text: each.name, about: each.about })),
      chosen: titleOf(wish.of, wish.rulebook),
      onChoose: (title) => {
        const { game, id } = list.rulebooks.find((each) => titleOf(each.game, each.id) === title);
        change({ of: game, rulebook: id });
      },
    }),
    h("p", {}, rulesLink(book)),
    radios({
      name: "mode",
      kind: "cards",
      legend: t("new.mode"),
      choices: book.json.modes.map((each) => ({ value: each.id, text: each.name, about: each.about })),
      chosen: wish.mode,
      onChoose: choose("mode"),
    }),
    radios({
      name: "seats",
      kind: "line",
      legend: t("new.seats"),
      choices: mode.seats.map((count) => ({ value: String(count), text: number(count) })),
      chosen: String(wish.seats),
      onChoose: (value) => change({ seats: Number(value) }),
    }),
    h("p", { class: "hint" }, openingOf(book).facts(mode, wish).join(" · ")),
  );
}

function peopleFields({ wish, list, change }) {
  const most = wish.seats - (wish.sit ? 1 : 0);
  const counts = Array.from({ length: most + 1 }, (_, count) => ({
    value: String(count),
    text: count === 0 ? t("new.bots.none") : number(count),
  }));
  return part(
    t("new.people"),
    tick({ name: "sit", label: t("new.sit"), checked: wish.sit, onChange: (sit) => change({ sit }) }),
    most > 0 &&
      h(
        "div",
        { class: "fields" },
        labelledMenu({
          id: "bots",
          label: t("new.bots"),
          choices: counts,
          chosen: String(wish.bots),
          onChoose: (value) => change({ bots: Number(value) }),
          hint: t("new.bots.hint"),
        }).element,
        wish.bots > 0 &&
          labelledMenu({
            id: "bot",
            label: t("seats.bot.kind"),
            choices: botChoices(list.bots),
            chosen: wish.bot,
            onChoose: (bot) => change({ bot }, { alone: true }),
          }).element,
        wish.bots > 0 &&
          labelledMenu({
            id: "bot-pace",
            label: t("new.bot_pace"),
            choices: BOT_PACES_MS.map((ms) => ({ value: String(ms), text: t(`new.bot_pace.${ms}`) })),
            chosen: String(wish.botPace),
            onChoose: (value) => change({ botPace: Number(value) }, { alone: true }),
          }).element,
      ),
  );
}

function optionFields({ wish, book, change }) {
  const options = optionsOf(book.json, book.mode(wish.mode), wish);
  const set = (id) => (value) => change({ options: { ...wish.options, [id]: value } });
  return folded(
    "new-options",
    tn("new.options", options.length),
    null,
    ...options.map((option) =>
      isSwitch(option) ? switchField(option, wish, set(option.id)) : choiceField(option, wish, book, set(option.id)),
    ),
    wish.extra !== null && anew(openingOf(book).extraFields(book, wish.extra, (extra) => change({ extra }, { alone: true }))),
  );
}

function isSwitch(option) {
  return option.values.length === 2 && option.values.every((value) => typeof value === "boolean");
}

function switchField(option, wish, set) {
  return tick({
    name: `option-${option.id}`,
    label: option.name,
    hint: option.about,
    checked: wish.options[option.id] ?? option.default,
    onChange: set,
  });
}

/** A choice among values; without one, the rulebook's usual. */
function choiceField(option, wish, book, set) {
  const choices = option.values.map((value) => ({
    value: JSON.stringify(value),
    text: valueText(option, value, book),
  }));
  const chosen = wish.options[option.id] ?? option.default;
  return labelledMenu({
    id: `option-${option.id}`,
    label: option.name,
    hint: option.about,
    choices: option.default === null ? [{ value: "null", text: t("new.usual") }, ...choices] : choices,
    chosen: JSON.stringify(chosen),
    onChoose: (text) => set(JSON.parse(text) ?? undefined),
  }).element;
}

function valueText(option, value, book) {
  return openingOf(book).valueText(option, value, book) ?? (typeof value === "number" ? number(value) : String(value));
}

function timeFields({ wish, book, change }) {
  const { paces } = book.json;
  const chosen = paceOf(wish, book.json);
  const choices = [...paces, { id: "own", name: t("new.pace.own") }].map(({ id, name }) => ({
    value: id,
    text: name,
    about: ownText(book, `new.pace.${id}.about`),
  }));
  const seconds = ({ id, least_s: min, most_s: max }) =>
    numberField({
      name: `${id}_s`,
      label: ownText(book, `new.${id}_s`) ?? t("new.limit", { wait: id }),
      value: wish.time.limits_s[id],
      min,
      max,
      onChange: (value) => change({ time: limited(wish.time, { [id]: value }) }, { alone: true }),
    });
  return folded(
    "new-time",
    t("new.time"),
    choices.find(({ value }) => value === chosen)?.text,
    radios({
      name: "pace",
      kind: "cards",
      legend: t("new.pace"),
      choices,
      chosen,
      onChoose: (pace) => change({ pace }),
    }),
    chosen === "own" &&
      h("div", { class: "fields" }, ...book.json.waits.map(seconds), absentField(wish, book, change)),
    radios({
      name: "start",
      legend: t("new.start"),
      choices: ["auto", "ready", "host"].map((value) => ({ value, text: t(`new.start.${value}`) })),
      chosen: wish.start,
      onChoose: (start) => change({ start }, { alone: true }),
    }),
  );
}

/** A text of the game's own, where it has one. */
function ownText(book, key) {
  const own = `${book.game}/${key}`;
  return has(own) ? t(own) : undefined;
}

/** A time control with other limits. */
function limited(time, limits) {
  return { ...time, limits_s: { ...time.limits_s, ...limits } };
}

function absentField(wish, { turn }, change) {
  return numberField({
    name: "absent_after",
    label: t(`new.absent_after.${turn}`),
    value: wish.time.absent_after,
    min: 1,
    max: 100,
    hint: t(`new.absent_after.${turn}.hint`),
    onChange: (value) => change({ time: { ...wish.time, absent_after: value } }, { alone: true }),
  });
}

function publicFields({ wish, book, change }) {
  const kinds = ["public", "unlisted", "private"].map((value) => ({ value, text: t(`new.visibility.${value}`) }));
  const delays = Object.entries({ none: "none", turns: book.turn, seconds: "second" }).map(([value, by]) => ({ value, text: t(`new.delay.${by}`) }));
  return folded(
    "new-public",
    t("new.public"),
    t(`new.visibility.${wish.visibility}`),
    radios({
      name: "visibility",
      legend: t("new.visibility"),
      choices: kinds,
      chosen: wish.visibility,
      onChoose: (visibility) => change({ visibility }),
    }),
    wish.visibility === "private" && invitedField(wish, change),
    radios({
      name: "delay",
      legend: t("new.delay"),
      choices: delays,
      chosen: wish.delay,
      onChoose: (delay) => change({ delay }),
    }),
    wish.delay === "turns" &&
      numberField({
        name: "turns-behind",
        label: t(`new.behind.${book.turn}`),
        value: wish.delayTurns,
        min: 1,
        max: 100,
        onChange: (delayTurns) => change({ delayTurns }, { alone: true }),
      }),
    wish.delay === "seconds" &&
      numberField({
        name: "seconds-behind",
        label: t("new.behind.second"),
        value: wish.delaySeconds,
        min: 1,
        max: 86_400,
        onChange: (delaySeconds) => change({ delaySeconds }, { alone: true }),
      }),
  );
}

/** Folded away: few tables are played for a tournament. */
function tournamentField({ wish, change }) {
  return h(
    "details",
    { class: "card part", id: "new-tournament", open: wish.tournament !== "" },
    h("summary", {}, t("new.tournament")),
    textField({
      name: "tournament",
      label: t("new.tournament.code"),
      value: wish.tournament,
      pattern: TOURNAMENT,
      maxlength: TOURNAMENT_MAX,
      hint: t("new.tournament.hint"),
      wrong: t("refused.bad-tournament"),
      onChange: (tournament) => change({ tournament }, { alone: true }),
    }),
  );
}

function invitedField(wish, change) {
  const props = { id: "invited", class: "code", rows: 3, spellcheck: "false", "aria-describedby": "invited-hint" };
  const area = h("textarea", props, wish.invited);
  const check = () => {
    const wrong = playersIn(area.value).find((id) => !PLAYER_ID.test(id));
    area.setCustomValidity(wrong === undefined ? "" : t("new.invited.wrong", { id: wrong }));
  };
  area.addEventListener("input", () => {
    check();
    change({ invited: area.value }, { alone: true });
  });
  check();
  return h(
    "div",
    { class: "field" },
    h("label", { for: "invited" }, t("new.invited")),
    area,
    h("p", { class: "hint", id: "invited-hint" }, t("new.invited.hint")),
  );
}
