/** Copying a text, by hand where the browser does not let the page do it. */

import { openDialog } from "../dialog.js";
import { h } from "../dom.js";
import { t } from "../words.js";

/**
 * Copy a text, and say so.
 *
 * @param {string} text
 * @param {(said: string) => void} say is told whether it worked.
 */
export async function copyText(text, say) {
  try {
    await navigator.clipboard.writeText(text);
    say(t("watch.copied"));
  } catch {
    openDialog({
      title: t("watch.copy.title"),
      name: "copy",
      content: [
        h("p", {}, t("watch.copy.by_hand")),
        h("textarea", { readonly: true, rows: 4, class: "copy-text", "aria-label": t("watch.copy.title") }, text),
      ],
    })
      .querySelector("textarea")
      ?.select();
  }
}
