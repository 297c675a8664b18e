/** Passkeys: what the browser and its authenticators are asked, and what they answer (WebAuthn). */

import { fromText, textOf } from "../fold/base64url.js";
import { newKey, post } from "./api.js";
import { serverNow } from "./clock.js";

/** Why no passkey came of it, where it was not the service that refused: `key` is that of a sentence. */
export class PasskeyTrouble extends Error {
  /** @param {"account.passkeys.cancelled"|"account.passkeys.there"|"account.passkeys.elsewhere"|"account.passkeys.failed"} key */
  constructor(key) {
    super(key);
    this.name = "PasskeyTrouble";
    this.key = key;
  }
}

/** What the browser's reasons mean to whoever reads the page. */
const SENTENCES = {
  NotAllowedError: "account.passkeys.cancelled",
  AbortError: "account.passkeys.cancelled",
  InvalidStateError: "account.passkeys.there",
  SecurityError: "account.passkeys.elsewhere",
};

/** An IPv4 or IPv6 address in the place of a name. */
const BARE = /^(\[.*\]|[0-9.]+)$/;

/** Whether passkeys can be made and used here: browsers have none for pages at a bare address. */
export function hasPasskeys() {
  return typeof PublicKeyCredential === "function" && !BARE.test(location.hostname);
}

/**
 * Make a passkey for whoever is signed in.
 *
 * @param {string} label
 * @throws {PasskeyTrouble}
 * @throws {import("./problem.js").Problem}
 */
export async function makePasskey(label) {
  const { body: asked } = await post("/v1/passkeys/challenge");
  const made = await heard(() =>
    navigator.credentials.create({
      publicKey: {
        rp: { id: asked.domain, name: "Parlour" },
        user: { id: fromText(asked.user), name: asked.name, displayName: asked.name },
        challenge: fromText(asked.challenge),
        timeout: timeout(asked),
        pubKeyCredParams: asked.algorithms.map((alg) => ({ type: "public-key", alg })),
        excludeCredentials: asked.exclude.map((id) => ({ type: "public-key", id: fromText(id) })),
        authenticatorSelection: { residentKey: "required", requireResidentKey: true, userVerification: "required" },
        attestation: "none",
      },
    }),
  );
  const said = /** @type {AuthenticatorAttestationResponse} */ (made.response);
  await post("/v1/passkeys", {
    client_data: textOf(new Uint8Array(said.clientDataJSON)),
    attestation: textOf(new Uint8Array(said.attestationObject)),
    label,
  });
}

/**
 * Let whoever is here choose a passkey, and sign in with it.
 *
 * @returns {Promise<{id: string, name: string, token: {token: string}}>} the service's answer.
 * @throws {PasskeyTrouble}
 * @throws {import("./problem.js").Problem}
 */
export async function usePasskey() {
  const { body: asked } = await post("/v1/sign-ins/passkey/challenge");
  const used = await heard(() =>
    navigator.credentials.get({
      publicKey: {
        rpId: asked.domain,
        challenge: fromText(asked.challenge),
        timeout: timeout(asked),
        userVerification: "required",
      },
    }),
  );
  const said = /** @type {AuthenticatorAssertionResponse} */ (used.response);
  if (said.userHandle === null) {
    throw new PasskeyTrouble("account.passkeys.failed");
  }
  const proof = {
    credential: used.id,
    user: textOf(new Uint8Array(said.userHandle)),
    client_data: textOf(new Uint8Array(said.clientDataJSON)),
    authenticator_data: textOf(new Uint8Array(said.authenticatorData)),
    signature: textOf(new Uint8Array(said.signature)),
  };
  return (await post("/v1/sign-ins/passkey", proof, { key: newKey() })).body;
}

/** What the browser gives, or in the page's words why it gives nothing. */
async function heard(ask) {
  let given;
  try {
    given = await ask();
  } catch (error) {
    if (!(error instanceof DOMException)) {
      throw error;
    }
    throw new PasskeyTrouble(SENTENCES[error.name] ?? "account.passkeys.failed");
  }
  if (given === null) {
    throw new PasskeyTrouble("account.passkeys.cancelled");
  }
  return /** @type {PublicKeyCredential} */ (given);
}

function timeout({ expires_at: until }) {
  return Math.max(0, until - serverNow());
}
