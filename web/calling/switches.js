/** The switches of how one is called: one for everything, and one each for what sounds and for what the browser shows. */

import { announce, h } from "../dom.js";
import { t } from "../words.js";
import { askForNotices, hasNotices, notify } from "./notices.js";
import { soundCall } from "./sound.js";
import { onWishes, wish, wishes } from "./wishes.js";

/**
 * The switches.
 *
 * @returns {HTMLElement} it follows what is wished for while it is in the document.
 */
export function callingSwitches() {
  const refused = h("p", { class: "error", hidden: true });
  const boxes = {
    calls: box("calls", t("calling.calls"), (on) => wish({ calls: on })),
    sound: box("sound", t("calling.sound"), turnSound),
    notices: box("notices", t("calling.notices"), (on) => turnNotices(on, refused)),
  };
  const element = h(
    "fieldset",
    { class: "calling", dataset: { unfolded: "" } },
    h("legend", {}, t("calling.label")),
    Object.values(boxes).map(({ label }) => label),
    hasNotices() ? refused : h("p", { class: "note" }, t("calling.notices.none")),
  );
  const update = () => {
    const now = wishes();
    for (const [name, { input }] of Object.entries(boxes)) {
      input.checked = now[name];
      input.disabled = name !== "calls" && !now.calls;
    }
    boxes.notices.input.disabled ||= !hasNotices();
  };
  const stop = onWishes(() => (element.isConnected ? update() : stop()));
  update();
  return element;
}

/** @param {"calls"|"sound"|"notices"} name @param {string} text @param {(on: boolean) => void} turn */
function box(name, text, turn) {
  const input = h("input", { type: "checkbox", dataset: { wish: name }, onchange: () => turn(input.checked) });
  const label = h("label", {}, input, h("span", {}, text));
  return { input, label };
}

/** Whoever turns it on hears what it sounds like. */
function turnSound(on) {
  wish({ sound: on });
  if (on) {
    soundCall();
  }
}

/** Shows what they look like; whether the browser lets the page. */
function showSample() {
  return notify({ name: "sample", title: t("calling.notice.turn"), text: t("calling.notice.sample"), onOpen: () => {} }) !== null;
}

/** The switch is on only if the browser shows them. */
async function turnNotices(on, refused) {
  const given = on && (await askForNotices()) && showSample();
  refused.hidden = given || !on;
  refused.textContent = t("calling.notices.refused");
  wish({ notices: given });
  if (on && !given) {
    announce(t("calling.notices.refused"));
  }
}
