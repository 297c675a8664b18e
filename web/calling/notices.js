/** Notifications that the browser shows while nobody looks at the page, for whoever has asked for them. */

import { fileAt } from "../late.js";

/** Whether this browser has them at all. */
export function hasNotices() {
  return typeof Notification !== "undefined";
}

/** Whether they may be shown. */
export function mayNotify() {
  return hasNotices() && Notification.permission === "granted";
}

/**
 * Ask the reader for leave; the browser does so itself.
 *
 * @returns {Promise<boolean>} whether they may be shown now.
 */
export async function askForNotices() {
  return hasNotices() && (await Notification.requestPermission()) === "granted";
}

/**
 * Show one, in place of another of the same name.
 *
 * @param {{name: string, title: string, text: string, onOpen: () => void}} what
 * @returns {Notification|null} null: this browser lets no page show any by itself, as those of phones do.
 */
export function notify({ name, title, text, onOpen }) {
  let shown;
  try {
    shown = new Notification(title, { body: text, tag: name, icon: fileAt("icon-called.svg"), lang: document.documentElement.lang });
  } catch (error) {
    if (error instanceof TypeError) {
      return null;
    }
    throw error;
  }
  shown.addEventListener("click", () => {
    shown.close();
    window.focus();
    onOpen();
  });
  return shown;
}
