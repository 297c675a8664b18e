/** Whether what is shown has been checked, and how far. */

import { openDialog } from "../dialog.js";
import { h, clear } from "../dom.js";
import { get } from "../net/api.js";
import { number, t } from "../words.js";
import { copyText } from "./copying.js";
import { badgeOf } from "./verifier.js";

/** @import { Controller } from "./controller.js" */

const SIGNS = { verified: "✓", since: "◐", unverified: "?", diverged: "!" };

/**
 * The badge. Its dialog has the details, and the comparison with the signed record of a finished game.
 *
 * @param {Controller} controller
 * @param {{say: (text: string) => void}} options `say`: tells screen readers.
 * @returns {{element: HTMLElement, update: () => void}}
 */
export function createBadge(controller, { say }) {
  const sign = h("span", { class: "sign", "aria-hidden": "true" });
  const text = h("span");
  const element = h("button", { type: "button", class: "badge", onclick: () => open() }, sign, text);
  /** @type {HTMLElement|null} */
  let details = null;
  const open = () => {
    details = h("div");
    drawDetails(details, controller, say);
    openDialog({ title: t("watch.badge.title"), name: "badge", content: details, onClose: () => (details = null) });
  };
  const update = () => {
    const { verifier } = controller;
    const state = badgeOf(verifier);
    if (element.dataset.badge !== state && state === "diverged") {
      say(badgeText(state, verifier));
    }
    element.dataset.badge = state;
    sign.textContent = SIGNS[state];
    text.textContent = badgeText(state, verifier);
    if (details && details.dataset.drawn !== `${state} ${verifier?.version}`) {
      drawDetails(details, controller, say);
    }
  };
  return { element, update };
}

function badgeText(state, verifier) {
  if (state === "diverged") {
    return t("watch.badge.diverged", { version: number(verifier.divergedAt) });
  }
  if (state === "since") {
    return t("watch.badge.since", { version: number(verifier.since) });
  }
  if (state === "unverified" && verifier?.state !== "unverified") {
    return t("watch.badge.checking", { version: number(verifier?.version ?? 0) });
  }
  return t(`watch.badge.${state}`);
}

function drawDetails(box, controller, say) {
  const { verifier } = controller;
  const state = badgeOf(verifier);
  box.dataset.drawn = `${state} ${verifier?.version}`;
  const link = location.origin.startsWith("http") ? location.origin : "…";
  const commands = `curl -s ${link}/v1/games/${controller.game}/record > game.jsonl\nparlour replay verify game.jsonl`;
  clear(box).append(
    h("p", { class: `verdict verdict-${state}` }, badgeText(state, verifier)),
    h("p", {}, t(whyKey(state, verifier))),
    h("dl", {}, facts(verifier).map(([key, value]) => [h("dt", {}, t(`watch.proof.${key}`)), h("dd", {}, value)])),
    recordCheck(controller),
    h("h3", {}, t("watch.proof.offline")),
    h("p", {}, t("watch.proof.offline.text")),
    h("pre", { tabindex: "0" }, commands),
    h("button", { type: "button", onclick: () => copyText(commands, say) }, t("watch.copy")),
    h("h3", {}, t("watch.proof.not")),
    h("p", {}, t("watch.proof.not.text")),
  );
}

function whyKey(state, verifier) {
  if (state === "diverged") {
    return `watch.proof.why.${verifier.reason}`;
  }
  return state === "unverified" && verifier?.state === "unverified" ? `watch.proof.why.${verifier.reason}` : `watch.proof.says.${state}`;
}

function facts(verifier) {
  if (verifier === null) {
    return [];
  }
  const key = verifier.keyHolds === null ? t("watch.proof.key.later") : t(verifier.keyHolds ? "watch.proof.key.holds" : "watch.proof.key.differs");
  return [
    ["events", number(verifier.version - verifier.since)],
    ["head", h("code", {}, verifier.head ?? "–")],
    ["compared", verifier.compared > 0 ? number(verifier.compared) : "–"],
    ["openings", number(verifier.openings)],
    ["rules", verifier.rules.join(", ") || "–"],
    ["key", [key, " ", verifier.keyHash && h("code", {}, verifier.keyHash)]],
  ];
}

/** Compare with the head that the service signed when the game ended. */
function recordCheck(controller) {
  const { verifier } = controller;
  const over = controller.newestState?.phase === "finished";
  if (!over || controller.archive || verifier === null || verifier.state === "unverified") {
    return null;
  }
  const answer = h("output", {});
  const compare = async () => {
    answer.textContent = t("watch.proof.record.reading");
    try {
      const { body } = await get(`/v1/games/${controller.game}/record`);
      const { seal } = JSON.parse(body.trimEnd().split("\n").at(-1));
      answer.textContent = t(verifier.agrees(seal.version, seal.head) ? "watch.proof.record.same" : "watch.proof.record.differs");
    } catch (problem) {
      answer.textContent = t("watch.failed", { why: problem instanceof Error ? problem.message : String(problem) });
    }
  };
  return h("p", { class: "record-check" }, h("button", { type: "button", dataset: { move: "record-check" }, onclick: compare }, t("watch.proof.record")), answer);
}
