/** Forms of the account page: a card that sends itself, and its fields. */

import { clear, h } from "../dom.js";
import { isRefusal } from "../net/problem.js";
import { refusalNote } from "../refusal.js";

/**
 * A form in a card: it sends itself once at a time, and shows refusals.
 *
 * @param {(form: any) => Promise<void>} send takes the form, whose fields it knows.
 * @param {...any} children
 * @returns {HTMLFormElement}
 */
export function card(send, ...children) {
  const trouble = h("div", {});
  const form = h("form", { class: "card" }, ...children, trouble);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const button = form.querySelector("button[type=submit]");
    if (button instanceof HTMLElement) {
      await attempt(button, trouble, () => send(form));
    }
  });
  return form;
}

/**
 * Do what a button stands for, once at a time; a refusal is shown.
 *
 * What is shown may be older than the account, which another browser has changed: then the service refuses what the page
 * still offers, and the page looks again.
 *
 * @param {HTMLElement} button
 * @param {HTMLElement} trouble where refusals are shown.
 * @param {() => Promise<void>} act
 * @param {() => Promise<void>} [lookAgain] reads what is shown anew.
 */
export async function attempt(button, trouble, act, lookAgain) {
  if (button.getAttribute("aria-disabled") === "true") {
    return;
  }
  button.setAttribute("aria-disabled", "true");
  clear(trouble);
  try {
    await act();
  } catch (error) {
    trouble.append(refusalNote(error));
    if (isRefusal(error)) {
      await lookAgain?.();
    }
  } finally {
    button.removeAttribute("aria-disabled");
  }
}

/**
 * A field with its label.
 *
 * @param {string} name
 * @param {string} label
 * @param {Object<string, unknown>} props of the input.
 * @param {string} [hint]
 */
export function field(name, label, props, hint) {
  const input = h("input", {
    id: `field-${name}`,
    name,
    type: "text",
    ...props,
    "aria-describedby": hint ? `hint-${name}` : null,
  });
  return h(
    "div",
    { class: "field" },
    h("label", { for: `field-${name}` }, label),
    input,
    hint && h("p", { class: "hint", id: `hint-${name}` }, hint),
  );
}
