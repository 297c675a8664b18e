/** When something went wrong that nobody thought of: a readable message and a way on. */

import { h } from "./dom.js";
import { t } from "./words.js";

/** Browsers report this one for harmless reasons. */
const HARMLESS = /^ResizeObserver loop/;

/**
 * Show that something broke, above whatever is on the page, and write the error to the console.
 *
 * @param {HTMLElement} root the page.
 * @param {any} error
 */
export function showFailure(root, error) {
  console.error(error);
  root.querySelector(".failure")?.remove();
  root.prepend(
    h(
      "section",
      { class: "failure", role: "alert" },
      h("h2", {}, say("failure.title", "Something went wrong")),
      h("p", {}, say("failure.text", "The game itself is not touched by this. Loading the page again usually helps.")),
      h(
        "p",
        {},
        h(
          "button",
          { type: "button", class: "primary", onclick: () => location.reload() },
          say("failure.reload", "Reload"),
        ),
      ),
      h("pre", { lang: "en" }, String(error?.message ?? error)),
    ),
  );
}

/** From now on show what nobody has caught. */
export function guard(root) {
  addEventListener("error", (event) => {
    if (!HARMLESS.test(event.message)) {
      showFailure(root, event.error ?? event.message);
    }
  });
  addEventListener("unhandledrejection", (event) => {
    if (event.reason?.name !== "AbortError") {
      showFailure(root, event.reason);
    }
  });
}

/** A text, or plain English where it is the words themselves that are missing. */
function say(key, english) {
  try {
    return t(key);
  } catch {
    return english;
  }
}
