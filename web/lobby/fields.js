/** Parts of forms. */

import { h } from "../dom.js";

/**
 * A group of choices of which one is taken.
 *
 * @param {object} given
 * @param {string} given.name
 * @param {string} given.legend
 * @param {Array<{value: string, text: string, about?: string}>} given.choices
 * @param {string} given.chosen
 * @param {(value: string) => void} given.onChoose
 * @param {string} [given.kind] "cards" for large ones with what they are about, else a plain list.
 * @returns {HTMLFieldSetElement}
 */
export function radios({ name, legend, choices, chosen, onChoose, kind = "list" }) {
  /** @param {{value: string, text: string, about?: string}} choice */
  const draw = ({ value, text, about }) => {
    const id = `${name}-${value}`;
    const input = h("input", {
      type: "radio",
      id,
      name,
      value,
      checked: value === chosen,
      "aria-describedby": about ? `${id}-about` : null,
      // And not "change": whoever presses what stands there already has chosen it, too. Keys make clicks as well.
      onclick: () => onChoose(value),
    });
    return h(
      "div",
      { class: "radio", dataset: { key: id } },
      h("label", { class: "choice", for: id }, input, h("span", {}, text)),
      about && h("p", { class: "hint", id: `${id}-about` }, about),
    );
  };
  return h(
    "fieldset",
    { class: ["radios", kind] },
    h("legend", {}, legend),
    h("div", { class: "radio-group" }, ...choices.map(draw)),
  );
}

/**
 * A whole number.
 *
 * @param {{name: string, label: string, value: number, min: number, max: number, onChange: (value: number) => void,
 *   hint?: string}} given `onChange` is told of valid numbers only; the browser complains of others when the form is
 *   sent.
 * @returns {HTMLElement}
 */
export function numberField({ name, label, value, min, max, onChange, hint }) {
  const change = (event) => event.target.validity.valid && onChange(event.target.valueAsNumber);
  const input = h("input", {
    type: "number",
    id: name,
    name,
    value,
    min,
    max,
    step: 1,
    required: true,
    inputmode: "numeric",
    oninput: change,
    "aria-describedby": hint ? `${name}-hint` : null,
  });
  return h("div", { class: "field" }, h("label", { for: name }, label), input, hintOf(name, hint));
}

/**
 * A short text of a form that can be told, which may be left out.
 *
 * @param {{name: string, label: string, value: string, pattern: string, maxlength: number, wrong: string, onChange?: (value: string) => void,
 *   hint?: string}} given `wrong`: what the browser says of others when the form is sent.
 * @returns {HTMLElement}
 */
export function textField({ name, label, value, pattern, maxlength, wrong, onChange = () => {}, hint }) {
  const check = ({ target }) => {
    target.setCustomValidity("");
    target.setCustomValidity(target.validity.valid ? "" : wrong);
  };
  const input = h("input", {
    id: name,
    name,
    value,
    pattern,
    maxlength,
    autocomplete: "off",
    autocapitalize: "none",
    spellcheck: "false",
    oninput: (event) => {
      check(event);
      onChange(event.target.value);
    },
    "aria-describedby": hint ? `${name}-hint` : null,
  });
  return h("div", { class: "field" }, h("label", { for: name }, label), input, hintOf(name, hint));
}

/**
 * A yes or no.
 *
 * @param {{name: string, label: string, checked: boolean, onChange: (checked: boolean) => void, hint?: string}} given
 * @returns {HTMLElement}
 */
export function tick({ name, label, checked, onChange, hint }) {
  const input = h("input", {
    type: "checkbox",
    id: name,
    name,
    checked,
    onchange: (event) => onChange(event.target.checked),
    "aria-describedby": hint ? `${name}-hint` : null,
  });
  return h(
    "div",
    { class: "field", dataset: { key: name } },
    h("label", { class: "choice", for: name }, input, h("span", {}, label)),
    hintOf(name, hint),
  );
}

function hintOf(name, hint) {
  return hint && h("p", { class: "hint", id: `${name}-hint` }, hint);
}
