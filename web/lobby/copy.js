/** Giving the reader a text to take away. */

import { announce, h } from "../dom.js";
import { t } from "../words.js";

/**
 * A text with a button that copies it. Where the browser does not copy, the text is selected for the reader to do so.
 *
 * @param {string} text
 * @param {string} label what it is.
 * @param {string} name the id of the field.
 * @returns {HTMLElement}
 */
export function copyField(text, label, name) {
  const field = h("input", {
    type: "text",
    id: name,
    class: "code",
    readonly: true,
    value: text,
    spellcheck: "false",
    autocomplete: "off",
    onfocus: ({ target }) => target.select(),
  });
  const onClick = async ({ currentTarget: button }) => {
    const done = await copy(text);
    if (!done) {
      button.parentElement?.querySelector("input").select();
    }
    button.textContent = done ? t("copy.done") : t("copy.by_hand");
    announce(button.textContent);
  };
  const button = h("button", { type: "button", id: `${name}-copy`, "aria-describedby": `${name}-label`, onclick: onClick }, t("copy.button"));
  return h(
    "div",
    { class: "field" },
    h("label", { for: name, id: `${name}-label` }, label),
    h("div", { class: "row copy" }, field, button),
  );
}

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
