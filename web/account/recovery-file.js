/** The recovery file: made and downloaded here, and read again by a browser that knows nobody any more. */

import { announce, h } from "../dom.js";
import { post } from "../net/api.js";
import { AttemptKey } from "../net/attempt-key.js";
import { signInByFile } from "../net/session.js";
import { moment, t } from "../words.js";
import { attempt, card } from "./form.js";

const FORMAT = "parlour-recovery/1";
const FILE_NAME = "parlour-recovery.json";
/** No recovery file is longer, in bytes. */
const LONGEST = 4096;

/**
 * The part of the account page by which recovery files are made.
 *
 * @param {() => Promise<void>} onChange reads the account anew.
 * @returns {{element: HTMLElement, show: (account: {recovery_file_made_at: number|null}) => void}}
 */
export function createRecoveryFile(onChange) {
  const trouble = h("div", {});
  const standing = h("p", {});
  const make = h("button", { type: "button", dataset: { action: "make-file" } });
  make.addEventListener("click", () =>
    attempt(make, trouble, async () => {
      const { body } = await post("/v1/recovery-file");
      download(contentOf(body));
      announce(t("account.recovery.done"));
      await onChange();
    }),
  );
  const element = h(
    "section",
    { "aria-labelledby": "recovery-title" },
    h("h2", { id: "recovery-title" }, t("account.recovery.title")),
    h("p", {}, t("account.recovery.about")),
    standing,
    trouble,
    h("p", {}, make),
  );
  return {
    element,
    show({ recovery_file_made_at: made }) {
      standing.textContent = made === null ? t("account.recovery.none") : t("account.recovery.made", { when: moment(made) });
      make.textContent = t(made === null ? "account.recovery.make" : "account.recovery.again");
    },
  };
}

function contentOf({ secret, made_at: made }) {
  const about = t("account.recovery.note");
  const file = { format: FORMAT, service: location.origin, made_at: new Date(made).toISOString(), about, secret };
  return `${JSON.stringify(file, null, 2)}\n`;
}

function download(content) {
  const address = URL.createObjectURL(new Blob([content], { type: "application/json" }));
  h("a", { href: address, download: FILE_NAME }).click();
  // Browsers have taken what they need of it when they are next idle.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/**
 * The form that reads a recovery file.
 *
 * @param {(who: {player: string, name: string, token: string, lasting: boolean}) => void} arrive
 */
export function recoveryForm(arrive) {
  const key = new AttemptKey();
  const input = h("input", { type: "file", id: "field-recovery", name: "recovery", accept: ".json,application/json", required: true });
  const wrong = h("p", { class: "error", role: "alert", hidden: true }, t("account.recovery.bad"));
  const send = async () => {
    const secret = await secretOf(input.files?.[0]);
    wrong.hidden = secret !== null;
    if (secret !== null) {
      arrive(await signInByFile(secret, { key: key.of(secret) })); // the same file again must not make a second token
    }
  };
  return card(
    send,
    h("h2", {}, t("account.recovery.use.title")),
    h("p", {}, t("account.recovery.use.about")),
    h("div", { class: "field" }, h("label", { for: "field-recovery" }, t("account.recovery.title")), input),
    wrong,
    h("button", { type: "submit" }, t("account.recovery.use.submit")),
  );
}

/** The secret in a file; null if it is no recovery file. */
async function secretOf(file) {
  if (file === undefined || file.size > LONGEST) {
    return null;
  }
  try {
    const { format, secret } = JSON.parse(await file.text());
    return format === FORMAT && typeof secret === "string" && secret !== "" ? secret : null;
  } catch {
    return null;
  }
}
