/** What one should know about what one sees: whose view it is, how late, how real, how connected. */

import { h } from "../dom.js";
import { patch } from "../patch.js";
import { sentenceOf } from "../refusal.js";
import { t, tn } from "../words.js";
import { branchBanner } from "./branch.js";
import { verdict } from "./verdict.js";
import { viewerText } from "./viewpoint.js";

/** @import { Controller } from "./controller.js" */

/**
 * The strip of banners over the table.
 *
 * @param {Controller} controller
 * @param {{names: object, notice: () => {text: string, act?: object}|null, mine: () => number[], navigate: (address: string) => void}} options
 *   `notice`: something said once, as that a view is not open; `mine`: the reader's own seats.
 * @returns {{element: HTMLElement, update: () => void}}
 */
export function createBanners(controller, { names, notice, mine, navigate }) {
  const element = h("div", { class: "banners" });
  let drawn = "";
  const update = () => {
    const banners = [
      viewBanner(controller, names, mine()),
      connectionBanner(controller),
      divergedBanner(controller),
      notice() && { name: "notice", ...notice() },
      ...(controller.ready ? tableBanners(controller, names, mine(), navigate) : []),
    ].filter(Boolean);
    const key = banners.map(({ name, text }) => `${name} ${text}`).join("\n");
    if (key !== drawn) {
      drawn = key;
      patch(
        element,
        banners.map(({ name, text, act }) =>
          h("p", { class: ["banner", `banner-${name}`], dataset: { banner: name } }, h("span", {}, text), act && h("button", { type: "button", onclick: act.run }, act.text)),
        ),
      );
    }
  };
  return { element, update };
}

function viewBanner(controller, names, mine) {
  const { viewer } = controller;
  const state = controller.newestState;
  if (viewer === "public") {
    const [seat] = state?.phase === "live" ? mine : [];
    const sit = () => controller.arrive(`seat:${seat}`);
    return seat === undefined ? null : { name: "blind", text: t("watch.banner.blind"), act: { text: t("watch.banner.seat.back"), run: sit } };
  }
  const act = controller.archive ? null : { text: t("watch.banner.public"), run: () => controller.look("public") };
  if (viewer === "full") {
    return { name: "full", text: t("watch.banner.full"), act };
  }
  const whose = { viewer: viewerText(viewer, names, state) };
  // One's own view is what one expects: the menu of views says it, and a frame.
  return isOwn(viewer, mine) ? null : { name: "seat", text: t("watch.banner.seat", whose), act };
}

/** Whether a view is that of one of the reader's own seats. */
export function isOwn(viewer, mine) {
  return mine.some((seat) => viewer === `seat:${seat}`);
}

function connectionBanner({ feed }) {
  if (feed.failure) {
    return { name: "broken", text: t("watch.status.broken", { why: feed.failure.message }) };
  }
  if (feed.status === "refused") {
    return { name: "broken", text: t("watch.status.refused", { why: feed.problem ? sentenceOf(feed.problem) : "" }) };
  }
  return feed.status === "waiting" ? { name: "waiting", text: t("watch.status.lost") } : null;
}

/** Louder than the badge: what does not add up must not be overlooked. */
function divergedBanner({ verifier }) {
  if (verifier?.state !== "diverged") {
    return null;
  }
  return { name: "diverged", text: `${t("watch.badge.diverged", { version: verifier.divergedAt })}. ${t(`watch.proof.why.${verifier.reason}`)}` };
}

function tableBanners(controller, names, mine, navigate) {
  const { state } = controller;
  const newest = controller.timeline.at(controller.last);
  // Whoever plays is told beside the decisions.
  const past = !controller.following && controller.live() && controller.behind > 0 && mine.length === 0;
  return [
    branchBanner(controller, navigate),
    state.scenario && !state.origin && { name: "scenario", text: t("watch.banner.scenario") },
    delayBanner(newest, controller.viewer, names),
    // The whole page has a section for it.
    controller.embed && state.phase === "finished" && state.result && resultBanner(state.result, names),
    pauseBanner(state),
    past && {
      name: "past",
      text: tn("watch.banner.past", controller.behind),
      act: { text: t("watch.now"), run: () => controller.follow() },
    },
  ];
}

/** Why nobody plays on: the director's pause, or the players', or that a part of the game is lost. */
function pauseBanner({ paused_at: since, restored, pauses }) {
  if (since === null || since === undefined) {
    return null;
  }
  const agreed = pauses?.running ? t("watch.banner.paused.agreed") : t("watch.banner.paused");
  return { name: "paused", text: restored?.held ? t("watch.banner.held") : agreed };
}

function resultBanner(result, names) {
  const over = t("watch.banner.result", { outcome: names.word(`outcome.${result.outcome}`) });
  return { name: "result", text: `${over} ${verdict(result, names)}`.trim() };
}

/** Spectators of a table with a delay see it late; its seats do not. */
function delayBanner({ delay, phase }, viewer, { turn }) {
  if (!delay || phase === "finished" || viewer !== "public") {
    return null;
  }
  const parts = [
    delay.seconds > 0 && tn("watch.banner.delay.second", delay.seconds),
    delay.turns > 0 && tn(`watch.banner.delay.${turn}`, delay.turns),
  ].filter(Boolean);
  return parts.length > 0 && { name: "delay", text: t("watch.banner.delay", { by: parts.join(", ") }) };
}
