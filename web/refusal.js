/** Refusals in the reader's language. */

import { h } from "./dom.js";
import { get } from "./net/api.js";
import { Problem } from "./net/problem.js";
import { language, t, tn } from "./words.js";

const titles = new Map();

/**
 * What a refusal means, as a short sentence. The service itself says it, by the problem's type.
 *
 * @param {Problem} problem
 * @returns {Promise<string>}
 */
export async function explain(problem) {
  if (problem.status === 0) {
    return t("refusal.unreachable");
  }
  if (problem.code === "rate-limited" && problem.retryAfter) {
    return tn("refusal.wait", problem.retryAfter);
  }
  return (await titlesOf(problem))[language()] ?? t("refusal.unknown", { status: problem.status });
}

/**
 * A refusal to show beside what was refused. It fills itself; screen readers are told at once.
 *
 * @param {unknown} error a Problem; anything else is thrown on, because it is no refusal but a mistake of this page.
 * @returns {HTMLElement}
 */
export function refusalNote(error) {
  if (!(error instanceof Problem)) {
    throw error;
  }
  const note = h("div", { class: "error", role: "alert", dataset: { problem: error.code } });
  explain(error).then((text) => note.append(text, error.detail ? h("small", { lang: "en" }, error.detail) : ""));
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
