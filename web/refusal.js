/** Refusals in the reader's language. */

import { h } from "./dom.js";
import { get } from "./net/api.js";
import { Problem } from "./net/problem.js";
import { keyAnywhere, language, t, within } from "./words.js";

const titles = new Map();

/**
 * What a refusal means and what to do, as a sentence of the page's own: also while the service is in no state to say it.
 *
 * @param {any} problem a Problem; anything else is a mistake of this page, and says itself what it is.
 * @returns {string}
 */
export function sentenceOf(problem) {
  if (!(problem instanceof Problem)) {
    return String(problem?.message ?? problem);
  }
  return withWait(ownSentence(problem) ?? t("refusal.unknown", { status: problem.status }), problem);
}

/**
 * The same; a newer service is asked for the title of a kind of problem that this page does not know yet.
 *
 * @param {Problem} problem
 * @returns {Promise<string>}
 */
export async function explain(problem) {
  const title = ownSentence(problem) === null ? (await titlesOf(problem))[language()] : undefined;
  return title === undefined ? sentenceOf(problem) : withWait(`${title}.`, problem);
}

function withDetail(problem) {
  return problem.detail !== "" && !problem.unsure && (language() === "en" || ownSentence(problem) === null);
}

function ownSentence({ status, code, unsure }) {
  if (status === 0) {
    return unsure ? `${t("refusal.unreachable")} ${t("refusal.unsure")}` : t("refusal.unreachable");
  }
  // What was said last is of the last attempt alone, and an earlier one may have arrived.
  if (unsure) {
    return t("refusal.unsure");
  }
  const key = keyAnywhere(`refused.${code}`);
  return key === null ? null : t(key);
}

function withWait(text, { retryAfter }) {
  return retryAfter ? `${text} ${t("refusal.retry", { when: within(retryAfter) })}` : text;
}

/**
 * A refusal to show beside what was refused. It fills itself; screen readers are told at once. The service's detail is English: it
 * stands below an English sentence, and where there is none of the page's own.
 *
 * @param {unknown} error a Problem; anything else is thrown on, because it is no refusal but a mistake of this page.
 * @returns {HTMLElement}
 */
export function refusalNote(error) {
  if (!(error instanceof Problem)) {
    throw error;
  }
  const note = h("div", { class: "error", role: "alert", dataset: { problem: error.code } });
  explain(error).then((text) => note.append(text, withDetail(error) ? h("small", { lang: "en" }, error.detail) : ""));
  return note;
}

async function titlesOf(problem) {
  if (!problem.type.startsWith("/problems/") || problem.code.startsWith("http-")) {
    return {};
  }
  if (!titles.has(problem.code)) {
    try {
      titles.set(problem.code, (await get(problem.type)).body.titles ?? {});
    } catch (error) {
      if (!(error instanceof Problem)) {
        throw error;
      }
      return {};
    }
  }
  return titles.get(problem.code);
}
