/**
 * Where a player has come to in a decision's tree of options (pure). A walk is a list of levels, from the first branch that
 * was opened to the one that is shown; without a level the decision's own first level is shown.
 */

/**
 * @typedef {Object} Level
 * @property {{id: string, branch?: boolean, meaning?: Object}} branch what was opened.
 * @property {Array} options what is below it.
 * @property {number} version of the game when they were listed.
 */

/**
 * The options that a decision shows.
 *
 * @param {{options: Array}} decision
 * @param {Level[]} walk
 * @returns {Array}
 */
export function optionsAt(decision, walk) {
  return walk.at(-1)?.options ?? decision.options;
}

/**
 * The level below a branch, where it was listed since the game has moved on.
 *
 * @param {Level[]} walk
 * @param {string} branch its id.
 * @param {number} version of the game.
 * @returns {Level|null}
 */
export function levelKnown(walk, branch, version) {
  return walk.find((level) => level.branch.id === branch && level.version >= version) ?? null;
}

/** Whether an option is the one that was chosen, or leads to it. */
export function leadsTo(option, chosen) {
  return chosen !== null && (option.id === chosen || (Boolean(option.branch) && chosen.startsWith(`${option.id}.`)));
}

/**
 * A walk that was kept elsewhere, as far as each of its levels can be one: its branch is an option of the level before.
 *
 * @param {{options: Array}} decision
 * @param {unknown} kept anything.
 * @returns {Level[]}
 */
export function walkFrom(decision, kept) {
  const walk = /** @type {Level[]} */ ([]);
  for (const level of Array.isArray(kept) ? kept : []) {
    const branch = optionsAt(decision, walk).find((each) => each.branch && each.id === level?.branch?.id);
    const options = level?.options;
    if (!branch || !Number.isInteger(level.version) || !Array.isArray(options) || !options.every((each) => typeof each?.id === "string")) {
      break;
    }
    walk.push({ branch, options, version: level.version });
  }
  return walk;
}
