/** A link that signs another device in: made here, shown as an address and as a code, used there. */

import { announce, clear, h } from "../dom.js";
import { copyField } from "../lobby/copy.js";
import { del, post } from "../net/api.js";
import { takeSecret } from "../net/fragment.js";
import { moment, t } from "../words.js";
import { attempt } from "./form.js";
import { qrPicture } from "./qr.js";

/** What stands before the secret of such a link, in the fragment of its address. */
const FRAGMENT = "link";

/**
 * The part of the account page by which links are made.
 *
 * @param {() => Promise<void>} onChange reads the account anew.
 * @returns {{element: HTMLElement, show: (account: {device_link: {id: string, expires_at: number}|null}) => void}}
 */
export function createDeviceLink(onChange) {
  const trouble = h("div", {});
  const place = h("div", { class: "device-link" });
  let fresh = null;
  const make = h("button", { type: "button", dataset: { action: "make-link" } }, t("account.link.make"));
  make.addEventListener("click", () =>
    attempt(make, trouble, async () => {
      fresh = (await post("/v1/device-links")).body;
      await onChange();
      place.querySelector("input")?.focus();
    }),
  );
  const withdraw = h("button", { type: "button", dataset: { action: "withdraw-link" } }, t("account.link.withdraw"));
  let pending = null;
  withdraw.addEventListener("click", () =>
    attempt(
      withdraw,
      trouble,
      async () => {
        await del(`/v1/device-links/${pending.id}`);
        announce(t("account.link.withdrawn"));
        await onChange();
      },
      onChange,
    ),
  );
  const element = h(
    "section",
    { "aria-labelledby": "link-title" },
    h("h2", { id: "link-title" }, t("account.link.title")),
    h("p", {}, t("account.link.about")),
    place,
    trouble,
    h("p", { class: "row" }, make, withdraw),
  );
  return {
    element,
    show({ device_link: link }) {
      pending = link;
      withdraw.hidden = link === null;
      clear(place);
      if (link === null) {
        fresh = null;
      } else {
        place.append(...(fresh?.id === link.id ? shown(fresh) : [h("p", {}, t("account.link.pending", { time: moment(link.expires_at) }))]));
      }
    },
  };
}

function shown({ secret, expires_at: until }) {
  const address = `${location.origin}/?page=account#${FRAGMENT}=${secret}`;
  return [
    qrPicture(address, t("account.link.code")),
    copyField(address, t("account.link.address"), "device-link"),
    h("p", { class: "hint" }, t("account.link.until", { time: moment(until) })),
  ];
}

/** The secret of a link at whose address this page was opened, which is without it from then on; null: there is none. */
export function takeLinkSecret() {
  return takeSecret(FRAGMENT);
}
