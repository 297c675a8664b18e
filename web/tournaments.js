/** Codes of tournaments, by which their tables are found (pure). */

/** The form of a code, as the service takes it and as an input has it for its `pattern`. */
export const TOURNAMENT = "[a-z0-9]+(-[a-z0-9]+)*";

/** So many characters it has at most. */
export const TOURNAMENT_MAX = 40;

/** Whether a text can be a tournament's code. */
export const isTournament = (text) => text.length <= TOURNAMENT_MAX && new RegExp(`^(?:${TOURNAMENT})$`).test(text);
