"""Each of the 140 cards, played once and refused once (§8)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from games.cerveauuu.deck import CARDS
from games.cerveauuu.model.state import State, TypeBan
from games.cerveauuu.rules.drawing import draw_one
from games.cerveauuu.scenarios.bases import open_board
from tests.games.cerveauuu.rules.card_rows import CREDITS, ROWS, STREET, Row
from tests.games.cerveauuu.rules.differences import told
from tests.games.cerveauuu.rules.staging import (
    LETTERS,
    TOWN,
    Done,
    batch,
    lay,
    leaves,
    offered,
    play_card,
)

MAPS = {"town": TOWN, "lane": open_board(9, 1)}


def position(row: Row, window: str = "", pieces: str | None = None) -> State:
    return lay(
        row.pieces if pieces is None else pieces,
        map_=MAPS[row.map_],
        window=window or row.window,
        hands={1: f"{row.card} {row.hand}", 2: row.other},
        path=row.path,
        fight=row.fight,
        in_credits=row.credits,
    )


def option(play: str) -> str:
    return ".".join(part for part in ("play.k1", play) if part)


def refused(row: Row) -> tuple[State, str]:
    """The position and the play of the refusal."""
    why, _, what = row.refused.partition(" ")
    state = position(row)
    match why:
        case "play":
            return state, option(what)
        case "pieces":
            return position(row, pieces=what), option(row.play)
        case "touched":
            touched = replace(state.pieces[what], touched_by=(1,))
            state.pieces = {**state.pieces, what: touched}
        case "ban":
            state.bans = (TypeBan(card="c001", type=CARDS[row.card].type, lasts="round"),)
        case "media":
            state.media_lock = True
        case "window":
            return elsewhere(row, what)
        case _:
            raise ValueError(row.refused)
    return state, option(row.play)


def elsewhere(row: Row, letter: str) -> tuple[State, str]:
    """The same position in another window, with an anchor if plays have one there."""
    path = row.path or ("z09:r0c7" if letter == "M" else "")
    pieces = row.pieces if path == row.path else f"{row.pieces} z09@r0c8:1"
    state = position(row._replace(path=path), window=letter, pieces=pieces)
    said = row.play.split(".", 1)[1:] if row.window in "PM" else [row.play]
    parts = [*(["0"] if letter in "PM" else []), *said]
    return state, option(".".join(part for part in parts if part))


def done_by(row: Row) -> set[str]:
    """What the card of a row does where its row plays it; nothing where it is not offered."""
    state, play = position(row), option(row.play)
    return told(state, play_card(state, 1, play)) if offered(state, 1, play) else set()


def test_a_card_does_what_its_row_says_and_nothing_else() -> None:
    for row in ROWS:
        assert done_by(row) == set(row.changes.split("; ")), row.card


def test_no_effect_of_a_card_can_be_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each effect of each card is seen by its row."""
    for row in ROWS:
        card = CARDS[row.card]
        for place in range(len(card.effect)):
            rest = (*card.effect[:place], *card.effect[place + 1 :])
            with monkeypatch.context() as patch:
                patch.setitem(CARDS, row.card, replace(card, effect=rest))
                assert done_by(row) != set(row.changes.split("; ")), (row.card, place + 1)


def test_a_card_is_refused_for_the_reason_that_its_row_says() -> None:
    for row in ROWS:
        state, play = refused(row)
        assert not offered(state, 1, play), row.card


def test_a_window_that_a_card_does_not_name_offers_nothing_of_it() -> None:
    for row in ROWS:
        names = set(CARDS[row.card].when)
        for letter in LETTERS:
            if LETTERS[letter] not in names:
                state, _ = elsewhere(row, letter)
                state.hands = {**state.hands, 1: {1: row.card}}
                assert not list(leaves(state, 1)), f"{row.card} in {letter}"


def test_a_card_that_is_played_goes_to_the_pile_and_counts() -> None:
    for row in ROWS:
        state = position(row)
        after = play_card(state, 1, option(row.play)).state
        assert after.played == {1: 1, 2: 0}, row.card
        assert 1 not in after.hands[1], row.card
        in_slot = CARDS[row.card].type == "weather"
        assert (row.card in after.piles[1]) != in_slot, row.card


def test_the_rows_are_those_of_the_deck() -> None:
    played = {card for card, each in CARDS.items() if each.type != "end_credits"}
    assert {row.card for row in ROWS} == played
    assert len(ROWS) == len(played)
    assert CREDITS.keys() == CARDS.keys() - played


@pytest.mark.parametrize("card", CREDITS)
def test_an_end_credits_card_acts_when_it_is_drawn_and_for_good(card: str) -> None:
    state = lay(STREET, seats=2)
    state.deck, state.replacing = (card, "c043"), {1: False, 2: False}
    play = batch(state)
    draw_one(play, 1)
    done = Done(play.state, tuple(play.work.events))
    expected = {f"credits {card}", "for lasting", *CREDITS[card].split("; ")}
    assert told(state, done, seat=0) == expected


@pytest.mark.parametrize("card", CREDITS)
@pytest.mark.parametrize("letter", LETTERS)
def test_an_end_credits_card_can_never_be_played(card: str, letter: str) -> None:
    path = "z01:r3c5" if letter == "M" else ""
    state = lay(STREET, window=letter, path=path, hands={1: card})
    assert not list(leaves(state, 1))
