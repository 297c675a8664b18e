/** Files that one keeps: the record of a game, and how a browser is given any. */

import { h } from "../dom.js";
import { bearer } from "../net/identity.js";
import { problemOf, unreachable } from "../net/problem.js";
import { sentenceOf } from "../refusal.js";
import { t } from "../words.js";

/** @import { Controller } from "./controller.js" */

/** The record of a game that is over. */
export async function recordOf(game) {
  return file(await read(`/v1/games/${game}/record`, "application/x-ndjson"), `${game}.jsonl`, "application/x-ndjson");
}

/**
 * Keep the record of a game that is over; `tell` hears how it went.
 *
 * @param {Controller} controller
 * @param {(text: string) => void} tell
 */
export async function keepRecord(controller, tell) {
  await keep(() => recordOf(controller.game), tell);
}

/** A file to keep. */
export function file(content, name, type) {
  return { blob: new Blob([content], { type }), name };
}

/** Have the browser keep a file; `tell` hears how it went. */
export async function keep(make, tell) {
  try {
    const { blob, name } = await make();
    const url = URL.createObjectURL(blob);
    h("a", { href: url, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(url), 10_000);
    tell(t("watch.saved", { name }));
  } catch (problem) {
    tell(t("watch.failed", { why: sentenceOf(problem) }));
  }
}

/** A file of the service, with one's token where one has one. */
export async function read(path, accept) {
  const token = bearer();
  const headers = { accept, ...(token !== null && { authorization: `Bearer ${token}` }) };
  let answer;
  try {
    answer = await fetch(path, { headers, credentials: "omit" });
  } catch {
    throw unreachable();
  }
  if (!answer.ok) {
    throw await problemOf(answer);
  }
  return answer.text();
}
