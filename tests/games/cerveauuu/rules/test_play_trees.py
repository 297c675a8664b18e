"""The trees below ``play`` hold all legal plays and nothing else (§5.2, §5.7)."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Sequence
from random import Random

import pytest

from events.kernel import Seat
from games.cerveauuu.board import Grid
from games.cerveauuu.deck import CARDS
from games.cerveauuu.model.state import State
from games.cerveauuu.rules import forms, plays
from games.cerveauuu.rules.forms import CardForm
from games.cerveauuu.rules.plays import may_play, offers_play, play_branch, read_play
from games.cerveauuu.rules.scene import Scene, anchors, scene_at, unrolled
from games.cerveauuu.rules.steps import step_ends
from games.cerveauuu.rules.timeline import steps_to
from games.cerveauuu.scenarios.bases import open_board
from games.trees import parts_of
from simulator.cerveauuu.bare_game import BareGame
from tests.games.cerveauuu.rules.brute_force import legal_plays, random_position
from tests.games.cerveauuu.rules.staging import batch, grid_of, lay, leaves, walkable

ALWAYS = 12
POSITIONS = pytest.mark.parametrize(
    "seeds",
    [
        *(pytest.param((seed,), id=str(seed)) for seed in range(ALWAYS)),
        *(
            pytest.param(
                range(first, first + ALWAYS), id=f"from {first}", marks=pytest.mark.nightly
            )
            for first in range(ALWAYS, 25 * ALWAYS, ALWAYS)
        ),
    ],
)
"""By day a test for each position; by night one for many: every run collects them."""

Offers = Callable[[State, Grid, Seat, tuple[str, ...]], bool]


def disagreements(state: State, random: Random, offers: Offers = offers_play) -> list[str]:
    """Ids on which the direct check and the walk say different things."""
    known = sorted(leaves(state, 1))
    tried = {*random.sample(known, min(20, len(known)))}
    for option in list(tried):
        tried |= damaged(option, random)
    return [
        option
        for option in sorted(tried)
        if offers(state, grid_of(state), 1, parts_of(option)) != walkable(state, 1, option)
    ]


def damaged(option: str, random: Random) -> set[str]:
    """Ids that look like another one: parts changed, swapped, missing, or one too many."""
    parts = parts_of(option)
    i = random.randrange(1, len(parts))
    words = [
        "0",
        "1",
        "01",
        "+1",
        "9",
        "h00",
        "z01",
        "r0c0",
        "r3c3e",
        "a",
        "s1",
        "s2",
        "k2",
        "k3-k2",
    ]
    return {
        ".".join((*parts[:i], random.choice(words), *parts[i + 1 :])),
        ".".join((*parts[:i], *parts[i + 1 :])),
        ".".join((*parts, random.choice(words))),
        ".".join((*parts[:i], *reversed(parts[i:]))),
        option.upper(),
        f"{option}.",
    }


@POSITIONS
def test_the_trees_list_what_trying_every_form_finds(seeds: Sequence[int]) -> None:
    for seed in seeds:
        state = random_position(Random(seed))
        found = list(leaves(state, 1))
        assert set(found) == legal_plays(state, 1), seed
        assert len(found) == len(set(found)), seed
        assert may_play(state, grid_of(state), 1) == bool(found), seed


def test_trees_that_forget_a_condition_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forms, "why_unfit", lambda *_: None)
    states = [random_position(Random(seed)) for seed in range(ALWAYS)]
    assert any(set(leaves(state, 1)) != legal_plays(state, 1) for state in states)


@POSITIONS
def test_what_is_accepted_is_what_can_be_walked_to(seeds: Sequence[int]) -> None:
    for seed in seeds:
        random = Random(seed)
        assert disagreements(random_position(random), random) == [], seed


def careless(state: State, grid: Grid, seat: Seat, path: tuple[str, ...]) -> bool:
    """A check that does not look at the last part."""
    return offers_play(state, grid, seat, path) or offers_play(state, grid, seat, path[:-1])


def test_a_check_that_accepts_too_much_is_found() -> None:
    randoms = map(Random, range(ALWAYS))
    assert any(disagreements(random_position(each), each, careless) for each in randoms)


@POSITIONS
def test_anchors_are_found_step_by_step_as_if_each_were_looked_at_alone(
    seeds: Sequence[int],
) -> None:
    assert [seed for seed in seeds if overlooked(random_position(Random(seed)))] == []


def overlooked(state: State) -> list[tuple[str, list[int]]]:
    """The cards whose anchors are others when each anchor is looked at alone."""
    grid = grid_of(state)
    scenes = {each: scene_at(state, grid, each) for each in anchors(state)}
    found = []
    for card in map(str, state.hands[1].values() if scenes else ()):
        form = CardForm(state, grid, 1, CARDS[card])
        alone = [each for each, scene in scenes.items() if form.filled(scene) is not None]
        if list(form.anchors(Scene(state, grid))) != alone:
            found.append((card, alone))
    return found


def test_anchors_that_are_overlooked_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing_fresh(scene: Scene) -> Iterator[tuple[int | None, Scene, set[str]]]:
        for anchor, now, _ in unrolled(scene):
            yield anchor, now, {"nobody"}

    monkeypatch.setattr(forms, "unrolled", nothing_fresh)
    assert any(overlooked(random_position(Random(seed))) for seed in range(ALWAYS))


def tells(state: State) -> bool:
    """Whether the options are others where the other hands and the deck are not known."""
    view = copy.copy(state)
    view.hands = {**state.hands, 2: dict.fromkeys(state.hands[2])}
    view.deck = None
    return list(leaves(view, 1)) != list(leaves(state, 1))


@POSITIONS
def test_the_options_do_not_depend_on_what_the_seat_does_not_know(seeds: Sequence[int]) -> None:
    assert [seed for seed in seeds if tells(random_position(Random(seed)))] == []


def test_options_that_tell_of_another_hand_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plays, "banned", lambda state, _: state.hands[2][1] is None)
    assert any(tells(random_position(Random(seed))) for seed in range(ALWAYS))


@POSITIONS
def test_each_play_reads_back_as_what_its_path_says(seeds: Sequence[int]) -> None:
    positions = [random_position(Random(seed)) for seed in seeds]
    for state, option in ((each, option) for each in positions for option in leaves(each, 1)):
        played = read_play(state, 1, option)
        said = [
            *([] if played.anchor is None else [str(played.anchor)]),
            *played.slots,
            *([played.step] if played.step else []),
            *(["-".join(f"k{each}" for each in played.dropped)] if played.dropped else []),
        ]
        assert option == ".".join(["play", f"k{played.number}", *said])


def test_a_path_that_leads_nowhere_has_no_options_behind_it() -> None:
    state = lay(
        "h01@r3c2 z01@r3c5:2", hands={1: "c031 c117", 2: "c031"}, window="M", path="z01:r3c4"
    )
    grid = grid_of(state)
    for path in (
        "play.k9",
        "play.k1.7",
        "play.k1.0.h09",
        "play.k1.0.h01.z01",
        "play.k1.00",
        "pass",
    ):
        assert play_branch(state, grid, 1, parts_of(path)) == ()


def test_behind_a_card_of_another_window_lies_nothing() -> None:
    state = lay("h01@r3c2 z01@r3c5:2", hands={1: "c031 c114"}, window="M", path="z01:r3c4")
    assert play_branch(state, grid_of(state), 1, ("play", "k1")) != ()
    assert play_branch(state, grid_of(state), 1, ("play", "k2")) == ()


def test_nothing_is_behind_a_level_that_cannot_be_completed() -> None:
    """A human that sees no zombie is not offered to shoot."""
    state = lay("h01@r3c2 h02@r5c6 z01@r3c5:2", hands={1: "c031"})
    options = play_branch(state, grid_of(state), 1, ("play", "k1"))
    assert [option.id for option in options] == ["play.k1.h01"]


def test_a_piece_that_can_neither_stay_nor_go_is_not_offered_to_step() -> None:
    """In mid-run over h03, between h02 and h04: neither of the two has a free cell (§2.4)."""
    pieces = "h01@r0c0 h02@r0c1 h03@r0c2 h04@r0c3"
    run = "h01:r0c1 h01:r0c2"
    state = lay(pieces, map_=open_board(4, 1), window="P", path=run, hands={1: "c132"})
    options = play_branch(state, grid_of(state), 1, ("play", "k1", "2"))
    assert [option.id for option in options] == ["play.k1.2.h02", "play.k1.2.h04"]
    assert set(leaves(state, 1)) == legal_plays(state, 1)


def test_a_piece_that_is_shut_in_is_looked_at_again_when_another_makes_way() -> None:
    """§2.5: z01 cannot stay where it is, and until h01 has gone it cannot leave."""
    pieces = "z01@r0c0:1!l h01@r0c1"
    path = "h01:r0c2"
    state = lay(pieces, map_=open_board(4, 1), window="P", path=path, hands={1: "c064"})
    state.cells = {"r0c0": (("impassable", "lasting"),)}
    options = play_branch(state, grid_of(state), 1, ("play", "k1"))
    assert [option.id for option in options] == ["play.k1.1"]
    assert set(leaves(state, 1)) == legal_plays(state, 1)


def compared(seats: int, enough: int) -> Iterator[bool]:
    """Whether the overlay agrees with the events, at each anchor of some windows of a game."""
    random = Random(seats)
    sitting = BareGame(
        seats, {"placement": "random", "wander_goes": 0}, f"scene-{seats}".encode()
    ).begin()
    done = 0
    while sitting.truth.end is None and done < enough:
        state, window = sitting.truth, sitting.truth.window
        if window is not None:
            grid = grid_of(state)
            for anchor in anchors(state)[1:]:
                play = batch(state)
                play.emit(steps_to(state, grid, window, anchor))
                cells = {name: grid.cell_of(p.cell) for name, p in play.state.pieces.items()}
                yield scene_at(state, grid, anchor).cells == cells
                done += 1
        decision = random.choice(sitting.pending())
        sitting.choose(decision, sitting.at_random(decision, random))


@pytest.mark.parametrize("seats", [2, 6])
def test_the_scene_at_an_anchor_is_what_its_steps_will_make(seats: int) -> None:
    """§4.4.2: the overlay and the events that carry a timeline out agree."""
    found = list(compared(seats, 60))
    assert len(found) >= 60
    assert all(found)


def test_a_scene_that_forgets_a_step_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Scene, "take", lambda *_: 0)
    assert not all(compared(2, 1))


def test_what_names_no_card_of_the_hand_cannot_be_read() -> None:
    state = lay(hands={1: "c133"})
    for path in ("play.k2", "pass", "play"):
        with pytest.raises(ValueError, match="no play"):
            read_play(state, 1, path)
    state.hands = {**state.hands, 1: {1: None}}
    with pytest.raises(ValueError, match="k1"):
        read_play(state, 1, "play.k1")


def test_a_card_without_a_step_ends_nowhere() -> None:
    state = lay("h01@r3c2")
    scene = scene_at(state, grid_of(state), None)
    with pytest.raises(ValueError, match="c110"):
        step_ends(scene, CARDS["c110"], 1, ("h01",))
