/** Forms of the account page: a card that sends itself, and its fields. */

import { clear, h } from "../dom.js";
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
 * @param {HTMLElement} button
 * @param {HTMLElement} trouble where refusals are shown.
 * @param {() => Promise<void>} act
 */
export async function attempt(button, trouble, act) {
  if (button.getAttribute("aria-disabled") === "true") {
    return;
  }
  button.setAttribute("aria-disabled", "true");
  clear(trouble);
  try {
    await act();
  } catch (error) {
    trouble.append(refusalNote(error));
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
