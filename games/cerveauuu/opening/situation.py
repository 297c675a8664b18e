"""Explicit situations: the format of ``scenario`` tables, and how one is laid (pure)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from events.kernel import Rejected, Seat
from games.cerveauuu.board import Grid, default_grid, parse_map
from games.cerveauuu.deck import CARDS
from games.cerveauuu.facts import card_events as cards
from games.cerveauuu.facts import events as ev
from games.cerveauuu.model.agenda import RoundStage
from games.cerveauuu.model.codes import Code
from games.cerveauuu.model.ids import by_id, is_human
from games.cerveauuu.model.language import CellFlag, EdgeChange
from games.cerveauuu.model.state import Piece, Weather
from games.cerveauuu.opening.setup import begin_game, lay_deck
from games.cerveauuu.rules.context import DEFAULT_MAP, Play
from games.cerveauuu.rules.modifiers import READINGS, credits_effect
from games.contract import Roster, TableOpening

PieceName = Annotated[str, Meta(pattern=r"^[hz]([0-9]{2}|[1-9][0-9]{2})\Z")]
CellName = Annotated[str, Meta(pattern=r"^r[0-9]{1,2}c[0-9]{1,2}\Z")]
EdgeName = Annotated[str, Meta(pattern=r"^r[0-9]{1,2}c[0-9]{1,2}[es]\Z")]


class GivenPiece(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A piece: where it stands, and what differs from the beginning of a round.

    ``seat`` controls it; a zombie has one, a human none. ``touched_by`` are the seats that have
    played a card on it this round.
    """

    cell: CellName
    seat: Seat | None = None
    blocked: bool = False
    moved: bool = False
    activated: bool = False
    attacked: bool = False
    touched_by: tuple[Seat, ...] = ()


class GivenWeather(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The weather in effect, and the seat that has played it."""

    card: str
    seat: Seat


class Situation(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """An explicit position.

    ``map`` is the name of a map or a text as in §2.10; ``edges`` and ``cells`` are lasting changes
    to it. ``hands`` hold their cards from ``k1`` on. ``deck`` are the uppermost cards; all cards
    that are named nowhere lie shuffled under them. ``stage`` says where play
    begins: at the ``draw``, the ``panic``, the ``wandering``, window Z (``pre_zombies``), the
    ``zombies`` or the end of the round. ``seed`` (64 hexadecimal digits) becomes the game key and
    so fixes every draw, but for the players' entropy.
    """

    pieces: Mapping[PieceName, GivenPiece]
    stage: Literal["draw", "panic", "wandering", "pre_zombies", "zombies", "end_round"] = "draw"
    map: str = DEFAULT_MAP
    edges: Mapping[EdgeName, EdgeChange] = {}
    cells: Mapping[CellName, CellFlag] = {}
    round: Annotated[int, Meta(ge=1, le=100)] = 1
    chief: Seat = 1
    hands: Mapping[Seat, tuple[str, ...]] = {}
    piles: Mapping[Seat, tuple[str, ...]] = {}
    deck: tuple[str, ...] = ()
    credits: tuple[str, ...] = ()
    credits_need: Annotated[int, Meta(ge=1, le=8)] | None = None
    weather: GivenWeather | None = None
    media_lock: bool = False
    scores: Mapping[Seat, int] = {}
    played: Mapping[Seat, Annotated[int, Meta(ge=0)]] = {}
    replacing: Mapping[Seat, bool] = {}
    seed: Annotated[str, Meta(pattern=r"^[0-9a-f]{64}\Z")] | None = None


def read_situation(opening: TableOpening) -> Situation:
    """Read a situation and check that it can be laid and played.

    Raises:
        Rejected: malformed-scenario if it does not fit the format, impossible-scenario if there can
            be no such position.
    """
    try:
        # Keys of JSON objects are texts: a seat that is one is a number all the same.
        situation = msgspec.json.decode(msgspec.json.encode(opening.situation), type=Situation)
    except msgspec.ValidationError as error:
        raise Rejected(Code.MALFORMED_SCENARIO, str(error)) from None
    for wrong in _impossible(situation, opening.seats):
        raise Rejected(Code.IMPOSSIBLE_SCENARIO, wrong)
    return situation


def _impossible(s: Situation, seats: int) -> Iterator[str]:
    """What there cannot be, in order of importance."""
    try:
        grid = default_grid() if s.map == DEFAULT_MAP else Grid.of(parse_map(s.map))
        named = (*s.cells, *(p.cell for p in s.pieces.values()))
        cells = [grid.cell_of(name) for name in named]
        edges = [grid.edge_of(name) for name in s.edges]
    except ValueError as error:
        yield str(error)
        return
    standing = cells[len(s.cells) :]
    if len(set(standing)) < len(standing):
        yield "two pieces stand on one cell"
    if any(grid.is_impassable(cell) for cell in standing):
        yield "a piece stands on an impassable cell"
    if not set(edges) <= set(grid.edges):
        yield "the edge of the board cannot change"
    yield from _impossible_people(s, seats)
    yield from _impossible_cards(s)


def _impossible_people(s: Situation, seats: int) -> Iterator[str]:
    if not any(map(is_human, s.pieces)):
        yield "without a human the game is over"
    if any(is_human(name) != (piece.seat is None) for name, piece in s.pieces.items()):
        yield "each zombie has a seat, no human has one"
    named = {s.chief, *s.hands, *s.piles, *s.scores, *s.played, *s.replacing}
    named |= {p.seat for p in s.pieces.values() if p.seat is not None}
    named |= {seat for p in s.pieces.values() for seat in p.touched_by}
    named |= {s.weather.seat} if s.weather is not None else set()
    if not named <= set(range(1, seats + 1)):
        yield f"there are {seats} seats"
    if len(s.credits) >= (s.credits_need or seats):
        yield "with so many end-credits cards the game is over"


def _impossible_cards(s: Situation) -> Iterator[str]:
    in_play = (*s.credits, *((s.weather.card,) if s.weather is not None else ()))
    hands = [card for hand in s.hands.values() for card in hand]
    piled = [card for pile in s.piles.values() for card in pile]
    every = [*in_play, *hands, *piled, *s.deck]
    if not set(every) <= CARDS.keys():
        yield "there is no such card"
        return
    if len(set(every)) < len(every):
        yield "a card is in two places"
    ends = {name for name, card in CARDS.items() if card.type == "end_credits"}
    if ends & {*hands, *piled} or set(s.credits) - ends:
        yield "end-credits cards lie in the deck or on the credits pile, and no others there"
    if s.weather is not None and CARDS[s.weather.card].type != "weather":
        yield "this card is no weather"


def lay_situation(play: Play, roster: Roster) -> None:
    """Lay a situation that ``read_situation`` has checked, and put its beginning on the agenda."""
    s = read_situation(roster.opening)
    begin_game(play, roster, s.map, s.chief)
    play.emit(_situation_set(s))
    for edge, state in s.edges.items():
        play.emit(ev.EdgeChanged(edge=edge, state=state, lasts="lasting"))
    for cell, flag in s.cells.items():
        play.emit(ev.CellFlagged(cell=cell, flag=flag, lasts="lasting"))
    for seat, hand in sorted(s.hands.items()):
        if hand:
            numbers = tuple(range(1, len(hand) + 1))
            play.emit(cards.HandDealt(seat=seat, numbers=numbers, cards=hand))
    rest = play.context.draw.shuffled(_unnamed(s), "deck/0")
    lay_deck(play, [*s.deck, *rest])
    for card in s.credits:
        credits_effect(play, card, s.chief)
    if s.weather is not None and _stays(s.weather.card):
        credits_effect(play, s.weather.card, s.weather.seat)
    play.push(RoundStage(s.stage))


def _stays(card: str) -> bool:
    """Whether all that a weather card does lasts as long as it is in the slot."""
    return all(type(effect) in READINGS.by_type for effect in CARDS[card].effect)


def _unnamed(s: Situation) -> list[str]:
    """The cards that are named nowhere."""
    held = {card for each in (*s.hands.values(), *s.piles.values()) for card in each}
    out = {*held, *s.credits, *s.deck, *((s.weather.card,) if s.weather is not None else ())}
    return [card for card in CARDS if card not in out]


def _situation_set(s: Situation) -> ev.SituationSet:
    return ev.SituationSet(
        round=s.round,
        pieces=tuple(_piece(name, s.pieces[name]) for name in by_id(s.pieces)),
        credits=s.credits,
        credits_need=s.credits_need or 0,
        piles=s.piles,
        scores=s.scores,
        played=s.played,
        weather=None if s.weather is None else Weather(s.weather.card, s.weather.seat),
        replacing=s.replacing,
        media_lock=s.media_lock,
    )


def _piece(name: str, given: GivenPiece) -> Piece:
    return Piece(
        id=name,
        cell=given.cell,
        controller=given.seat,
        blocked=given.blocked,
        moved=given.moved,
        activated=given.activated,
        attacked=given.attacked,
        touched_by=given.touched_by,
    )
