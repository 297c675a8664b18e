/** Where a leaderboard is shown. */

/**
 * @typedef {object} Board
 * @property {string} season
 * @property {string} game
 * @property {string|null} side
 */

/** The address of a leaderboard. @param {Board} board */
export function boardAddress({ season, game, side }) {
  return `/?${new URLSearchParams({ page: "leaderboards", season, game, ...(side !== null && { side }) })}`;
}
