"""Plays the golden games: by lot, the same way every time, with what each recipe adds."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Literal, TypeVar

from msgspec import UNSET, Struct

from events.draw import Draw
from events.kernel import Actor, Decision, Seat, TimestampMs
from games.table.events import (
    AnnulTable,
    DeclineInvitation,
    Delay,
    ExtendTime,
    HoldTable,
    InvitePlayers,
    LeaveSeat,
    OpenTable,
    PauseTable,
    ResumeTable,
    SayPhrase,
    StartTable,
    TakeSeat,
    WithdrawInvitation,
)
from games.table.inspections import inspection_of
from games.table.pause_events import EndPause, ProposePause, VoteOnPause
from replay.memory import MemoryTable
from runtime.table_service import CLOCK_ACTOR
from simulator.golden_files import KEYS

T = TypeVar("T")

START: Final[TimestampMs] = 1_760_000_000_000
DIRECTOR: Final = Actor("director", "p00-" + "d" * 26)
AUDITOR: Final = Actor("auditor", "p00-" + "z" * 26)

_NAMES: Final = ("Ada", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gil", "Hana")
_SHARDS = 4
_QUIET = ("resign", "return")


def new_table(name: str) -> MemoryTable:
    """An empty table whose id and key follow from the golden game's name."""
    return MemoryTable(KEYS.derived_id("golden", name, "g", _SHARDS), KEYS, START)


Upset = Literal["", "pause", "hold", "inspect", "resign", "annul", "return", "talk", "agree"]
"""What happens once in a golden game; ``agree`` is to pauses."""


class GoldenRecipe(Struct, frozen=True, kw_only=True):
    """How a golden game is played.

    ``absent`` seats never answer; ``upset`` is what happens in the second turn, or else at the
    tenth choice (``return``: once somebody has become absent, who then comes back); ``ready``: the
    game begins when everybody has said so; ``situation`` makes a scenario of it; ``delay`` keeps
    spectators behind; ``says``: what is said where the upset is ``talk``.
    """

    name: str
    game: str
    rulebook: str
    mode: str
    seats: int
    seed: int
    options: Mapping[str, Any] = {}
    absent: tuple[Seat, ...] = ()
    upset: Upset = ""
    ready: bool = False
    situation: Mapping[str, Any] | None = None
    delay: Delay | None = None
    says: tuple[SayPhrase, ...] = ()


class GoldenDriver:
    """Plays a table by lot, the same way every time."""

    def __init__(self, recipe: GoldenRecipe) -> None:
        self.recipe = recipe
        self.table = new_table(recipe.name)
        self._lots = Draw(b"golden/%d" % recipe.seed)
        self._lot = 0
        self._choices = 0
        self._upset = recipe.upset
        self._absent = set(recipe.absent)

    def seat_all(self) -> None:
        """Open the table and take every seat."""
        recipe, table = self.recipe, self.table
        table.give(
            OpenTable(
                game=recipe.game,
                rulebook=recipe.rulebook,
                mode=recipe.mode,
                seats=recipe.seats,
                options=recipe.options,
                start="ready" if recipe.ready else "auto",
                delay=recipe.delay,
                key=table.game_key(),
                situation=UNSET if recipe.situation is None else recipe.situation,
            ),
            player(1),
        )
        if recipe.ready:
            table.give(InvitePlayers(players=(player(7).id, player(8).id), limit=50), player(1))
            table.give(DeclineInvitation(), player(7))
            table.give(WithdrawInvitation(player=player(8).id), player(1))
        for seat in range(1, recipe.seats + 1):
            self._sit_down(seat)
        if recipe.ready:
            table.give(LeaveSeat(seat=1), player(1))
            self._sit_down(1)
            for seat in range(1, recipe.seats + 1):
                table.give(StartTable(), player(seat))

    def _sit_down(self, seat: Seat) -> None:
        self.table.now += 1000
        name = _NAMES[seat - 1]
        self.table.give(
            TakeSeat(entropy=f"entropy-of-{name}", name_seal=self.table.name(name)), player(seat)
        )

    def play(self, until: Callable[[MemoryTable], bool]) -> bool:
        """Play until a condition holds (True) or the game ends (False)."""
        while not until(self.table):
            self._disturb()
            if not self.table.pending():
                return False
            present = [d for d in self.table.pending() if d.seat not in self._absent]
            if present:
                self._think(300 + self._below(4000))
                self._choose(self._one_of(present))
            else:
                self.table.time_out()
            if self._below(6) == 0:
                self._act_freely()
        return True

    def _think(self, ms: int) -> None:
        """Let time pass, but not more than there is."""
        clock = self.table.state.clock
        later = self.table.now + ms
        self.table.now = later if clock is None else max(self.table.now, min(later, clock.due))

    def _choose(self, decision: Decision) -> None:
        self._choices += 1
        careful = decision.default is not None and self._below(3) == 0
        chosen = str(decision.default) if careful else self.leaf(decision)
        self.table.choose(decision, chosen)

    def leaf(self, decision: Decision) -> str:
        """A leaf of its options, with one lot for each level."""
        table = self.table.game_registry.table
        option = self._one_of(decision.options)
        while option.branch:
            option = self._one_of(table.branch(self.table.state, decision, option.id))
        return option.id

    def _act_freely(self) -> None:
        """One voluntary act of anybody, if there is one but resigning."""
        table = self.table
        found = [
            d
            for seat in sorted(table.state.seats)
            for d in table.game_registry.table.decisions(table.state, seat)
            if d.optional and d.kind not in _QUIET and seat not in self._absent
        ]
        if found:
            self._choose(self._one_of(found))

    def _agree(self) -> None:
        """Three pauses: one is turned down, one is ended by all, and one by the clock."""
        table, seats = self.table, sorted(self.table.state.seats)
        first, last = seats[0], seats[-1]
        table.give(ProposePause(seat=last, minutes=60), player(last))
        table.give(VoteOnPause(seat=first, vote="decline"), player(first))
        for minutes in (20, 1):
            table.give(ProposePause(seat=first, minutes=minutes), player(first))
            for seat in seats[1:]:
                table.now += 1_000
                table.give(VoteOnPause(seat=seat, vote="agree"), player(seat))
            table.now += 60_000
            if minutes == 1:
                table.give(EndPause(pause=table.state.pauses_held.begun), CLOCK_ACTOR)
                return
            for seat in seats:
                table.give(VoteOnPause(seat=seat, vote="resume"), player(seat))

    def _disturb(self) -> None:
        """What the recipe says happens once, in the middle of the game."""
        recipe, table = self.recipe, self.table
        away = [seat for seat in self._absent if table.state.seats[seat].absent]
        early = self._turn() < 2 and self._choices < 10  # noqa: PLR2004 (as told above)
        if not self._upset or (not away if self._upset == "return" else early):
            return
        upset, self._upset = self._upset, ""
        if upset == "pause":
            table.give(PauseTable(reason="break"), DIRECTOR)
            table.now += 60_000
            table.give(ResumeTable(), DIRECTOR)
            table.give(ExtendTime(seconds=30, reason="break"), DIRECTOR)
        elif upset == "hold":
            kept = table.version
            table.give(HoldTable(known=kept + 7, kept=kept, epoch=2), DIRECTOR)
            table.now += 60_000
            table.give(ResumeTable(), DIRECTOR)
        elif upset == "inspect":
            table.give(inspection_of("full", "suspicion_of_collusion", 900), AUDITOR)
            table.now += 5_000
            table.give(inspection_of("seat:2", "spot_check", 900), AUDITOR)
        elif upset == "talk":
            for said in recipe.says:
                table.now += 2_000
                table.give(said, player(said.seat))
        elif upset == "agree":
            self._agree()
        elif upset == "annul":
            table.give(AnnulTable(reason="other"), DIRECTOR)
        else:
            seat = away[0] if upset == "return" else max(table.state.seats)
            self._absent.discard(seat)
            found = table.game_registry.table.decisions(table.state, seat)
            table.choose(next(d for d in found if d.kind == upset), upset)

    def _turn(self) -> int:
        state = self.table.state
        return self.table.game_registry.table.games[state.game].turn(state.play)

    def _below(self, n: int) -> int:
        self._lot += 1
        return self._lots.below(n, f"lot/{self._lot}")

    def _one_of(self, items: Sequence[T]) -> T:
        return items[self._below(len(items))]


def player(seat: Seat) -> Actor:
    """The player who sits at a seat."""
    return Actor("player", "p00-" + "abcdefgh"[seat - 1] * 26)


def whole_game(recipe: GoldenRecipe) -> MemoryTable:
    """A game played to its end."""
    driver = GoldenDriver(recipe)
    driver.seat_all()
    driver.play(lambda _: False)
    return driver.table
