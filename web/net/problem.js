/** Refusals of the service (RFC 9457), and the service being out of reach, as exceptions. */

/** Why a request was refused. `code` is the last part of `type`; an unreachable service has status 0; `unsure`: a command that may have happened. */
export class Problem extends Error {
  /**
   * @param {{type: string, title: string, status: number, detail?: string, errors?: Array,
   *   retryAfter?: number|null}} given `retryAfter` in seconds.
   */
  constructor({ type, title, status, detail = "", errors = [], retryAfter = null }) {
    super(detail || title);
    this.name = "Problem";
    this.type = type;
    this.code = type.split("/").at(-1) ?? "";
    this.title = title;
    this.status = status;
    this.detail = detail;
    this.errors = errors;
    this.retryAfter = retryAfter;
    this.unsure = false;
  }
}

/** The problem that the service cannot be reached. */
export function unreachable() {
  return new Problem({ type: "/problems/unreachable", title: "The service cannot be reached", status: 0 });
}

/**
 * The problem that an answer tells.
 *
 * @param {Response} answer one that is not 2xx.
 * @returns {Promise<Problem>}
 */
export async function problemOf(answer) {
  const retryAfter = Number.parseInt(answer.headers.get("retry-after") ?? "", 10);
  const told = { retryAfter: Number.isNaN(retryAfter) ? null : retryAfter, status: answer.status };
  try {
    const body = await answer.json();
    if (typeof body?.type === "string") {
      return new Problem({ title: body.type, ...body, ...told });
    }
  } catch {
    // A proxy's page, or half an answer: its status has to do.
  }
  return new Problem({ type: `/problems/http-${answer.status}`, title: `HTTP ${answer.status}`, ...told });
}

/** Of what a request may be itself to blame for: it took too long, came too early, or was one of too many. Sent again it may be fine. */
const WORTH_REPEATING = new Set([408, 425, 429]);
/** Of what the service is to blame for: this program will never be able to. */
const NOT_IMPLEMENTED = 501;

/** Whether it may be gone by itself: the service is out of reach, too busy or out of order, or the request has met bad luck on its way. */
export function isPassing(problem) {
  if (!(problem instanceof Problem)) {
    return false;
  }
  const { status } = problem;
  return status === 0 || WORTH_REPEATING.has(status) || (status >= 500 && status !== NOT_IMPLEMENTED);
}

/** Whether the service has said no, so that one had better look again. */
export function isRefusal(problem) {
  return problem instanceof Problem && !isPassing(problem);
}
