/** What can be clicked on the board (pure, but for the words): cells, lines with their direction, characters, robots. */

import { cellText } from "../words/option-text.js";
import { t } from "../../../words.js";

/**
 * What an option touches on the board: cells, lines with their direction, characters, robots.
 *
 * @param {{id: string, meaning?: Object}} option
 * @returns {string[]} keys as the board's `choices` have them.
 */
export function targets(option) {
  const { cell, move, hide, first, second, line, way, character, push, robot } = option.meaning ?? {};
  const isCell = (value) => /^r\dc\d$/.test(value ?? "");
  const found = [
    cell,
    move,
    hide,
    isCell(first) && first,
    isCell(second) && second,
    line && `${line}:${way}`,
    character,
    push,
    // In a double push the second is a character as well.
    !isCell(second) && second,
    robot && `robot${robot}`,
  ];
  return [...new Set(found.filter(Boolean))];
}

/**
 * Where one presses for what cannot be chosen: of where somebody cannot be brought the place, else whom or what one would choose. Where a room
 * by itself is meant, whoever stands in it lies over it.
 *
 * @type {NonNullable<import("../../contract.js").GameBoard["aim"]>}
 */
export function aim({ cell, move, first, hide, line, way, character, push, robot, token, adrenaline }, { play }) {
  const arrow = line && `${line}:${way}`;
  const action = adrenaline ? "adrenaline" : token;
  const room = cell ?? first ?? hide;
  const found = room ?? move ?? arrow ?? character ?? push ?? (robot ? `robot${robot}` : action && `action:${action}`);
  const inside = room && !character && !push ? Object.values(play.characters).filter((each) => each.cell === room) : [];
  return found ? [found, ...inside.map(({ id }) => id)] : [];
}

/** What a target is called. */
export function targetText(target, book, state) {
  if (/^r\dc\d$/.test(target)) {
    return cellText(book, target, state?.play);
  }
  if (target.includes(":")) {
    const [line, way] = target.split(":");
    return book.lineWay(line, way);
  }
  return target.startsWith("robot")
    ? t("room25/board.robot", { number: target.slice("robot".length) })
    : book.character(target).name;
}
