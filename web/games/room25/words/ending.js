/** Why a game of Room 25 has come out as it has (pure). */

import { t } from "../../../words.js";

/** So many dead prisoners, whose roles are known, end a game with guards. */
const PRISONERS_TO_LOSE = 2;

/** @type {import("../../contract.js").GameWords["ending"]} */
export function endingOf({ play }) {
  const reason = reasonOf(play);
  return reason ? t(`room25/watch.why.${reason}`) : null;
}

/** Reasons for which a game is over without anybody having left the complex. */
const SHUT = new Set(["two_dead", "time", "nobody_left", "too_many_dead", "others_dead"]);

/** Whether nobody has got out in a game that is over. */
export function staysShut(play) {
  return SHUT.has(reasonOf(play));
}

function reasonOf(play) {
  return play?.end ? REASONS[play.end.outcome]?.(play) : undefined;
}

/** For each outcome, the message key of its reason. */
const REASONS = {
  prisoners: (play) => (isLast(play) ? "prisoners_last" : "prisoners"),
  guards: (play) => (deadPrisoners(play) >= PRISONERS_TO_LOSE ? "two_dead" : "time"),
  complex: (play) => (living(play).length === 0 ? "nobody_left" : isLast(play) ? "time" : "too_many_dead"),
  players: () => "players",
  players_partial: () => "players_partial",
  team: (play) => (new Set(living(play).map(({ team }) => team)).size === 1 ? "others_dead" : isLast(play) ? "team_last" : "team"),
  draw: (play) => (living(play).length === 0 ? "nobody_left" : "draw"),
};

function isLast({ turn, last_turn: last }) {
  return turn >= last;
}

function living({ characters }) {
  return Object.values(characters).filter(({ alive }) => alive !== false);
}

function deadPrisoners({ characters }) {
  return Object.values(characters).filter((c) => c.alive === false && c.role_public && c.role === "prisoner").length;
}
