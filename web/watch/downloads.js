/** What one can take away: links, logs, the record, a page that replays from disk, a picture, a frame for one's own page. */

import { openDialog } from "../dialog.js";
import { h, present } from "../dom.js";
import { neverBegan } from "../ends.js";
import { get } from "../net/api.js";
import { tables } from "../tables.js";
import { t } from "../words.js";
import { cardOf } from "./card.js";
import { copyText } from "./copying.js";
import { file, keep, read, recordOf } from "./files.js";
import { momentLink, queryOf, tableLink } from "./place.js";
import { verdict } from "./verdict.js";

/** @import { Address } from "./place.js" */
/** @import { Controller } from "./controller.js" */

/**
 * The window with everything to take away.
 *
 * @param {Controller} controller
 * @param {{address: Address, say: (text: string) => void, title: string, book: import("../book.js").Book, names: any, head: Element[], caption: Element}} options
 *   `title`: what the game is called; `head` says which table it is and where in the game one is, `caption` what has just happened.
 */
export function showDownloads(controller, options) {
  const { address, say, title } = options;
  const answer = h("output", { class: "download-answer" });
  const tell = (text) => {
    answer.textContent = text;
    say(text);
  };
  const copy = (text) => copyText(text, tell);
  const files = filesOf(controller, options).map(({ name, make }) =>
    h("li", {}, h("button", { type: "button", dataset: { download: name }, onclick: () => keep(make, tell) }, t(`watch.save.${name}`)), h("span", {}, t(`watch.save.${name}.about`))),
  );
  const share = controller.archive ? [] : shared(controller, address, { copy, title });
  openDialog({
    title: t("watch.save"),
    name: "save",
    content: [
      share,
      h("h3", {}, t("watch.save.files")),
      h("ul", { class: "files" }, files),
      answer,
    ],
  });
}

function shared(controller, address, { copy, title }) {
  const link = momentLink(controller, address);
  const frame = frameCode(controller, title);
  const report = [link, `${t("watch.report.head")} ${controller.verifier?.heads.get(controller.shown) ?? "–"}`, `${t("watch.report.rules")} ${controller.verifier?.rules.join(", ") ?? "–"}`].join("\n");
  const entry = (name, text) => h("li", {}, h("button", { type: "button", dataset: { copy: name }, onclick: () => copy(text) }, t(`watch.share.${name}`)), h("span", {}, t(`watch.share.${name}.about`)));
  return [
    h("h3", {}, t("watch.share")),
    h("ul", { class: "files" }, entry("link", tableLink(address)), entry("moment", link), entry("frame", frame), entry("report", report)),
    h("pre", { tabindex: "0", class: "frame-code" }, frame),
  ];
}

/** A frame for somebody's own page, at the moment that is shown; a running game that is followed stays live. */
function frameCode(controller, title) {
  const at = controller.following && controller.live() ? null : controller.shown;
  const source = new URL(`/embed/${controller.game}${queryOf({ at, as: null, speed: 1 })}`, location.href).href;
  return `<iframe src="${source}" title="${title}" width="480" height="640" loading="lazy"></iframe>`;
}

/** The files that are there for this view of this game. */
function filesOf(controller, options) {
  const { game, feed, timeline } = controller;
  const whole = timeline.line(1) !== null;
  const newest = timeline.at(timeline.last);
  const over = newest.phase === "finished";
  const path = `/v1/games/${game}`;
  const online = !controller.archive;
  const played = !neverBegan(newest);
  const picture = `${path}/state?at=${controller.shown}&as=${controller.viewer}`;
  return present([
    whole && { name: "log", make: () => file(publicLog(timeline), `${game}-public.jsonl`, "application/x-ndjson") },
    whole && controller.viewer !== "public" && {
      name: "mine",
      make: () => file(`${feed.texts.join("\n")}\n`, `${game}-${controller.viewer.replace(":", "-")}.jsonl`, "application/x-ndjson"),
    },
    online && over && { name: "record", make: () => recordOf(game) },
    online && over && played && { name: "page", make: async () => file(await read(`${path}/replay.html`, "text/html"), `${game}.html`, "text/html") },
    online && played && { name: "picture", make: async () => file(await read(picture, "image/svg+xml"), `${game}-${controller.shown}.svg`, "image/svg+xml") },
    online && played && { name: "card", make: async () => file(await cardOf(await momentOf(controller, options)), `${game}-${controller.shown}.png`, "image/png") },
  ]);
}

/** What a card shows. Before the end it has nobody's secrets, whoever looks. */
async function momentOf(controller, { book, names, head, caption }) {
  const [title = "", ...where] = head.map((each) => each.textContent ?? "");
  const { shown, state, timeline, viewer, game } = controller;
  const players = names.players(Object.keys(state.seats).map(Number));
  if (viewer !== "public" && timeline.at(timeline.last).phase !== "finished") {
    const { body } = await get(`/v1/games/${game}/state?at=${shown}&as=public`);
    return { book, state: tables.fromView(body.state), viewer: "public", title, texts: [...where, players] };
  }
  const told = state.phase === "finished" && state.result ? [names.word(`outcome.${state.result.outcome}`), verdict(state.result, names)] : [caption.textContent ?? ""];
  return { book, state, viewer, title, texts: present([...where, ...told, players]) };
}

/** Exactly what is hashed, a line for each event. */
function publicLog(timeline) {
  const lines = Array.from({ length: timeline.last }, (_, i) => timeline.line(i + 1).publicText);
  return `${lines.join("\n")}\n`;
}
