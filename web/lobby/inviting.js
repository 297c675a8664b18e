/** Links to a private table: its host makes them, sees which still invite somebody, and withdraws them. */

import { attempt } from "../account/form.js";
import { announce, clear, h } from "../dom.js";
import { del, get, post } from "../net/api.js";
import { labelledMenu } from "../menu.js";
import { relist } from "../redraw.js";
import { refusalNote } from "../refusal.js";
import { moment, t } from "../words.js";
import { copyField } from "./copy.js";

/** For how long a link may be good, in minutes, and how that is called. */
const LASTS = [
  [60, "seats.invite.hour"],
  [1440, "seats.invite.day"],
  [10080, "seats.invite.week"],
];
const DAY = "1440";

/**
 * What a host needs to invite by link. It stays the same element however often the seats are drawn.
 *
 * @param {{id: string, seats: number}} table
 * @returns {HTMLElement}
 */
export function invitingPanel({ id, seats }) {
  const trouble = h("div", {});
  const fresh = h("div", {});
  const list = h("ul", { class: "invitation-links" });
  const path = `/v1/games/${id}/invitation-links`;
  const read = async () => {
    const { body } = await get(path);
    relist(list, body.links.map((link) => row(link, path, trouble, read)), make);
    list.hidden = body.links.length === 0;
  };
  const uses = labelledMenu({
    id: `uses-${id}`,
    label: t("seats.invite.uses"),
    choices: [{ value: "", text: t("seats.invite.full") }, ...range(seats).map((count) => ({ value: count, text: count }))],
  });
  const lasts = labelledMenu({
    id: `lasts-${id}`,
    label: t("seats.invite.lasts"),
    choices: LASTS.map(([minutes, key]) => ({ value: String(minutes), text: t(String(key)) })),
    chosen: DAY,
  });
  const make = h("button", { type: "submit", class: "primary", dataset: { action: "make-invitation" } }, t("seats.invite.make"));
  const form = h(
    "form",
    {},
    h("div", { class: "wishes" }, uses.element, lasts.element),
    make,
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    attempt(make, trouble, async () => {
      const count = uses.select.value;
      const wish = { minutes: Number(lasts.select.value), uses: count === "" ? null : Number(count) };
      const { body } = await post(path, wish);
      clear(fresh).append(copyField(addressOf(body.secret), t("seats.invite.link"), `invitation-${id}`));
      fresh.querySelector("input")?.focus();
      await read();
    });
  });
  const element = h(
    "details",
    { class: "share" },
    h("summary", { dataset: { action: "share" } }, t("seats.share")),
    h("p", { class: "hint" }, t("seats.invite.about")),
    form,
    fresh,
    list,
    trouble,
  );
  element.addEventListener("toggle", async () => {
    try {
      element.open && (await read());
    } catch (error) {
      clear(trouble).append(refusalNote(error));
    }
  });
  return element;
}

/** The address that invites: its secret is in the fragment, which is sent to nobody. */
function addressOf(secret) {
  return `${location.origin}/?page=invitation#invitation=${secret}`;
}

function row(link, path, trouble, read) {
  const withdraw = h("button", { type: "button", dataset: { action: "withdraw-invitation" } }, t("seats.invite.withdraw"));
  withdraw.addEventListener("click", () =>
    attempt(
      withdraw,
      trouble,
      async () => {
        await del(`${path}/${link.id}`);
        announce(t("seats.invite.withdrawn"));
        await read();
      },
      read,
    ),
  );
  const time = moment(link.expires_at);
  const text =
    link.uses === null
      ? t("seats.invite.open", { time, used: link.used })
      : t("seats.invite.some", { time, uses: link.uses, used: link.used });
  return h("li", { class: "row", dataset: { link: link.id } }, h("span", { class: "hint" }, text), withdraw);
}

function range(count) {
  return Array.from({ length: count }, (_, index) => String(index + 1));
}
