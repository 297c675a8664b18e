/**
 * The messages between a page and the frame with a game in it (docs/spectators.md). The frame shows public things only
 * and obeys anybody: there is nothing in it that a stranger must not do.
 */

/** @import { Controller } from "./controller.js" */

/** What marks our messages among others. */
const MARK = "parlour";

/**
 * Tell the page around us where we are, and obey it.
 *
 * @param {Controller} controller
 * @returns {{update: () => void, stop: () => void}}
 */
export function speakToParent(controller) {
  let told = "";
  const tell = (message) => window.parent.postMessage({ source: MARK, game: controller.game, ...message }, "*");
  const obey = ({ source, data }) => {
    if (source !== window.parent || data?.target !== MARK) {
      return;
    }
    const act = ACTS[data.type];
    if (act && controller.ready) {
      act(controller, data);
    }
  };
  const update = () => {
    if (!controller.ready) {
      return;
    }
    const { shown, last, playing, following } = controller;
    const message = { type: "position", at: shown, last, playing, live: following && controller.live() };
    const text = JSON.stringify(message);
    if (text !== told) {
      tell(told === "" ? { ...message, type: "ready" } : message);
      told = text;
    }
  };
  window.addEventListener("message", obey);
  return { update, stop: () => window.removeEventListener("message", obey) };
}

const ACTS = {
  seek: (controller, { at }) => Number.isSafeInteger(at) && at > 0 && seek(controller, at),
  play: (controller, { speed }) => {
    if (Number.isFinite(speed) && speed >= 0.5 && speed <= 8) {
      controller.setSpeed(speed);
    }
    controller.play();
  },
  pause: (controller) => controller.pause(),
  live: (controller) => controller.follow(),
};

function seek(controller, at) {
  controller.pause();
  controller.seek(at, { jump: false });
}
