/** How games, rulebooks, modes and sides are called where games of all kinds are counted. */

import { INVITATIONS } from "../games/first.js";
import { wantWords } from "../languages.js";
import { rulebooks } from "../lobby/shelf.js";
import { t } from "../words.js";

wantWords(
  [],
  INVITATIONS.map(({ game }) => game),
);

/**
 * What the service can name, in one language.
 *
 * Finished games stay counted when the service has their game or rulebook no more: what nobody names is called by its id.
 */
class Titles {
  #listed;

  /** @param {Array<any>} listed the `rulebooks` of `GET /v1/rulebooks`. @param {string} lang */
  constructor(listed, lang) {
    this.#listed = listed;
    this.lang = lang;
  }

  /** The games that can be played, each with the sides that may be dealt in it. @returns {Array<{game: string, sides: string[]}>} */
  get games() {
    const found = new Map(this.#listed.map(({ game, sides }) => [game, { game, sides: Object.keys(sides) }]));
    return [...found.values()];
  }

  /** What a game is called. */
  game(id) {
    const known = INVITATIONS.find(({ game }) => game === id);
    return known === undefined ? id : known.invitation().name;
  }

  /** What it is to play a side: "as a guard"; null: there are none. */
  side(game, side) {
    return side === null ? null : (this.#listed.find((each) => each.game === game)?.sides[side] ?? side);
  }

  /** What a rulebook is called. */
  rulebook(game, id) {
    return this.#listed.find((each) => each.game === game && each.id === id)?.name ?? id;
  }

  /** What a mode is called. */
  mode(game, rulebook, id) {
    return this.#listed.find((each) => each.game === game && each.id === rulebook)?.mode_names[id] ?? id;
  }

  /** How games of a game may end, each by its id, with its name. @returns {Map<string, string>} */
  outcomes(game) {
    return new Map(this.#listed.filter((each) => each.game === game).flatMap(({ outcomes }) => Object.entries(outcomes)));
  }
}

/**
 * Ask how everything is called.
 *
 * @param {string} lang
 * @returns {Promise<Titles>}
 * @throws {Problem} it cannot be had now.
 */
export async function titlesIn(lang) {
  return new Titles((await rulebooks(lang)).rulebooks, lang);
}

/** A ladder's title: the game, and the side if it has any. */
export function ladderTitle(titles, game, side) {
  const name = titles.game(game);
  const as = titles.side(game, side);
  return as === null ? name : t("people.ladder", { game: name, as });
}

/** What a season is called. */
export function seasonTitle(season) {
  const [year, quarter] = season.split("-");
  return quarter === undefined ? t("people.season.all") : t(`people.season.${quarter}`, { year });
}

