/** The field for what a visitor wants to be called, who has no name yet. It stands in several places; whoever goes from one to another types once. */

import { onChange } from "./net/session.js";

/** What holds for a name, for `h`. */
export const NAME_RULES = { maxlength: 40, pattern: ".*\\S.*", autocomplete: "nickname", required: true };

/** What has been typed in any of them. */
let typed = "";

// Whoever comes after somebody who is gone is not called as they are.
onChange(() => {
  typed = "";
});

/** What such a field is, for `h`. */
export function nameField() {
  return {
    ...NAME_RULES,
    value: typed,
    oninput: ({ target }) => {
      typed = target.value;
    },
  };
}
