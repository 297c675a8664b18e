/** What happens if everybody passes in the window that is open (pure). */

import { cellsAfter } from "../board/plan.js";
import { placeText } from "./option-text.js";
import { present } from "../../../dom.js";
import { capitalised, listing, t } from "../../../words.js";

/** @import { TownBook } from "./book.js" */

/** So many sentences stand beside a decision; the panel of the window has them all. */
const SHORT = 4;

/** Who wins the fight as it stands. */
export const fightResult = (fight) => t(`cerveauuu/board.fight.${fight.winner ?? "none"}`);

/** Whom the proposal for support invites; null: there is none. */
export function proposal(book, { fight, pieces, colours }) {
  const invited = fight.proposal?.invited ?? [];
  const names = invited.map((id) => book.piece({ pieces, colours }, id));
  return names.length > 0 ? t("cerveauuu/board.fight.proposal", { zombies: listing(names) }) : null;
}

/**
 * Who eats whom, as it is proposed or agreed, sentence by sentence.
 *
 * @param {TownBook} book
 * @param {Told.CerveauuuState} play
 */
export function shares(book, play) {
  const { share = {}, proposal: proposed = null } = play.fight ?? {};
  return Object.entries(proposed?.share ?? share).map(([human, zombie]) =>
    t("cerveauuu/board.fight.share", { human: book.piece(play, human), zombie: book.piece(play, zombie) }),
  );
}

/**
 * The same beside the decision that asks for an answer; null for others.
 *
 * @type {import("../../contract.js").GameWords["limit"]}
 */
export function prospect(decision, book, state) {
  const play = state?.play;
  if (decision.kind === "consent" && play?.fight) {
    return [proposal(book, play), ...shares(book, play)].filter(Boolean).join(" ");
  }
  if (decision.kind !== "respond" || !play?.window) {
    return null;
  }
  const all = outcome(book, play);
  const told = all.length > SHORT ? [...all.slice(0, SHORT), t("cerveauuu/board.next.more", { count: all.length - SHORT })] : all;
  return present([lastPlay(book, play), t("cerveauuu/board.next.if_all_pass", { outcome: told.join(" ") })]).join(" ");
}

/**
 * The card that was played last in the window that is open, by whom and on whom; null: none was.
 *
 * @param {TownBook} book
 * @param {Told.CerveauuuState} play
 */
export function lastPlay(book, play) {
  const last = play.window?.last ?? null;
  if (last === null) {
    return null;
  }
  const told = { card: book.cardName(last.card), colour: book.colour(play.colours[last.seat]) };
  const pieces = last.designated.filter((id) => play.pieces[id]).map((id) => book.piece(play, id));
  return pieces.length === 0 ? t("cerveauuu/board.window.last", told) : t("cerveauuu/board.window.last_on", { ...told, pieces: listing(pieces) });
}

/**
 * The seat that has to say how its zombie goes on after a card, before anybody is asked again; null: nobody has.
 *
 * @param {Told.CerveauuuState} play
 * @returns {number|null}
 */
export function replanning({ agenda }) {
  const [kind, seat] = /** @type {any} */ (agenda?.at(-1) ?? []);
  return kind === "replan" ? seat : null;
}

/**
 * What happens once everybody has passed, sentence by sentence.
 *
 * @param {TownBook} book
 * @param {Told.CerveauuuState} play in which a window is open.
 */
export function outcome(book, play) {
  const { window } = play;
  const doomed = Object.values(play.pieces).filter((piece) => piece.doomed);
  const sentences = [
    ...(NEXT[window?.kind ?? ""]?.(book, play) ?? []),
    ...doomed.map((piece) => t("cerveauuu/board.next.dies", { piece: book.piece(play, piece.id) })),
  ];
  return sentences.map(capitalised);
}

/**
 * By the kind of window.
 *
 * @type {Object<string, (book: TownBook, play: Told.CerveauuuState) => string[]>}
 */
const NEXT = {
  panic: (book, play) => {
    const { timeline = [] } = play.window ?? {};
    const ends = [...cellsAfter(play, timeline.length)].filter(([id]) => play.pieces[id]);
    return ends.length === 0
      ? [t("cerveauuu/board.next.nobody_runs")]
      : ends.map(([id, cell]) => t("cerveauuu/board.next.runs", { piece: book.piece(play, id), cell: placeText(book, cell, play) }));
  },
  movement: (book, play) => {
    const { activation } = play;
    if (activation === null) {
      return [];
    }
    const piece = book.piece(play, activation.zombie);
    const end = activation.stopped ? undefined : activation.rest?.at(-1);
    const moves = end === undefined ? t("cerveauuu/board.next.stays", { piece }) : t("cerveauuu/board.next.moves", { piece, cell: placeText(book, end, play) });
    const attacks = activation.attack && !activation.stopped && t("cerveauuu/board.next.attacks", { piece, target: book.piece(play, activation.attack) });
    return present([moves, attacks]);
  },
  combat: (book, play) => {
    const { fight } = play;
    if (fight === null) {
      return [];
    }
    const [attackers, defenders] = fight.totals ?? [0, 0];
    const eaten = fight.winner === "attackers" ? shares(book, play) : [];
    return [t("cerveauuu/board.next.totals", { attackers, defenders }), fightResult(fight), ...eaten];
  },
  pre_zombies: () => [t("cerveauuu/board.next.pre_zombies")],
  end_round: () => [t("cerveauuu/board.next.end_round")],
  open: () => [t("cerveauuu/board.next.open")],
};
