"""A second toy, whose events have the tags of the first one's and other fields.

Its rulebook is called as the first one's is, too.

For each lot every seat secretly bids; the bids are shown; the highest bidder says whether to buy,
and a seeded coin may give the lot to the house all the same. The most lots win.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from msgspec import UNSET, Struct

from events.kernel import (
    AtEnd,
    Decision,
    Event,
    OnlySeat,
    Option,
    Public,
    Rejected,
    Seat,
    Working,
)
from games.bots import HouseBot, random_bot
from games.contract import JsonValue, Outcome, Roster, Rules, TableOpening, Wait, WaitClass
from games.dispatch import Handlers, on
from games.drawing import DrawnPosition
from games.package import GamePackage
from games.published import Refusal
from games.sentences import Spell
from games.table.events import TABLE_EVENTS
from games.texts import TurnWord
from games.words import ENGLISH
from tests.games.publishing import PublishedPlainly
from tests.games.small_game import SmallGame
from tests.games.telling import ToldPlainly

BIDS = (10, 20, 30)


class AuctionBegan(Event, frozen=True, tag="toy-began"):
    """An auction of ``lots``; what the house hopes for is told at the end."""

    bidders: Public[tuple[Seat, ...]]
    lots: Public[tuple[str, ...]]
    hope: AtEnd[int] = UNSET


class BidMade(Event, frozen=True, tag="number-chosen"):
    """A seat bids for this lot."""

    seat: Public[Seat]
    number: OnlySeat[int] = UNSET


class BidsShown(Event, frozen=True, tag="numbers-shown"):
    """Everybody has bid."""

    publishes = True
    numbers: Public[tuple[int, ...]]


class LotClosed(Event, frozen=True, tag="die-rolled"):
    """A lot went to a seat, or to the house (None), and the next lot comes."""

    publishes = True
    lot: Public[str]
    buyer: Public[Seat | None] = None


AUCTION_EVENTS: tuple[type[Event], ...] = (AuctionBegan, BidMade, BidsShown, LotClosed)


class Play(Struct):
    """The auction's state; ``bids`` holds None where the viewer does not know the bid."""

    bidders: tuple[Seat, ...] = ()
    lots: tuple[str, ...] = ()
    hope: int | None = None
    bids: Mapping[Seat, int | None] = {}
    shown: tuple[int, ...] = ()
    sold: tuple[Seat | None, ...] = ()


def _began(s: Play, e: AuctionBegan) -> None:
    s.bidders, s.lots = e.bidders, e.lots
    s.hope = e.hope if isinstance(e.hope, int) else None


def _bid(s: Play, e: BidMade) -> None:
    s.bids = {**s.bids, e.seat: e.number if isinstance(e.number, int) else None}


def _shown(s: Play, e: BidsShown) -> None:
    s.shown = e.numbers


def _closed(s: Play, e: LotClosed) -> None:
    s.sold, s.bids, s.shown = (*s.sold, e.buyer), {}, ()


AuctionEvent = AuctionBegan | BidMade | BidsShown | LotClosed
_FOUND = (
    on(AuctionBegan, _began) | on(BidMade, _bid) | on(BidsShown, _shown) | on(LotClosed, _closed)
)
AUCTION_RECORDERS: Handlers[Play, AuctionEvent, None] = _FOUND


class Auction(SmallGame[Play]):
    """The decider of the auction, as ``games.contract.Game`` wants it."""

    recorders: Final = AUCTION_RECORDERS.by_type

    def initial(self) -> Play:
        return Play()

    def seats(self, state: Play) -> Sequence[Seat]:
        return state.bidders

    def open(self, requested: TableOpening) -> TableOpening:
        if (
            requested.rulebook != "toybook"
            or requested.mode != "plain"
            or not 2 <= requested.seats <= 5
        ):
            raise Rejected("bad-auction", "an auction is held in one way, for 2 to 5")
        lots = requested.options.get("lots", 2)
        return TableOpening(
            rulebook="toybook", mode="plain", seats=requested.seats, options={"lots": lots}
        )

    def cast(
        self,
        opening: TableOpening,
        taken: Mapping[Seat, tuple[str, ...]],
        seat: Seat,
        requested: tuple[str, ...],
    ) -> tuple[str, ...]:
        assert opening.seats > len(taken)
        return requested or (f"bidder-{seat}",)

    def begin(self, work: Working[Play], roster: Roster) -> None:
        lots = tuple(f"lot-{n}" for n in range(1, roster.opening.options["lots"] + 1))
        hope = work.context.draw.choice(BIDS, "hope")
        work.emit(AuctionBegan(bidders=tuple(sorted(roster.characters)), lots=lots, hope=hope))

    def choose(self, work: Working[Play], decision: Decision, option: str) -> None:
        state = work.state
        if decision.kind == "bid":
            work.emit(BidMade(seat=decision.seat, number=int(option)))
            bids = work.state.bids
            if len(bids) == len(state.bidders):
                work.emit(BidsShown(numbers=tuple(bid or 0 for _, bid in sorted(bids.items()))))
            return
        coin = work.context.draw.choice(("seat", "house"), f"coin/{len(state.sold)}")
        buyer = decision.seat if (option, coin) == ("buy", "seat") else None
        work.emit(LotClosed(lot=state.lots[len(state.sold)], buyer=buyer))

    def decisions(self, state: Play, seat: Seat) -> list[Decision]:
        lot = len(state.sold)
        if lot >= len(state.lots):
            return []
        if not state.shown:
            return [
                Decision(
                    id=f"bid-{lot}-s{seat}",
                    kind="bid",
                    seat=seat,
                    options=tuple(Option(str(bid)) for bid in BIDS),
                    default="10",
                    secret=True,
                    answered=seat in state.bids,
                )
            ]
        if seat != state.bidders[state.shown.index(max(state.shown))]:
            return []
        options = (Option("buy"), Option("pass"))
        return [Decision(id=f"deal-{lot}", kind="deal", seat=seat, options=options, default="buy")]

    def is_secret(self, state: Play, decision: str) -> bool:
        del state
        return decision.startswith("bid")

    def wait(self, state: Play) -> Wait | None:
        if len(state.sold) >= len(state.lots):
            return None
        found = (d for seat in state.bidders for d in self.decisions(state, seat) if not d.answered)
        step = "deal" if state.shown else "bids"
        return Wait(key=f"{step}-{len(state.sold)}", wait="bidding", pending=tuple(found))

    def outcome(self, state: Play) -> Outcome | None:
        if not state.lots or len(state.sold) < len(state.lots):
            return None
        bought = {seat: state.sold.count(seat) for seat in state.bidders}
        most = max(bought.values())
        winners = tuple(seat for seat, count in bought.items() if count == most)
        return Outcome(reason="most-lots", winners=winners, score=most)

    def turn(self, state: Play) -> int:
        return min(len(state.sold) + 1, len(state.lots))


AUCTION = Rules(
    id="auction",
    decider=Auction(),
    events=AUCTION_EVENTS,
    tags={"toybook": "auction.toybook/1"},
    rejections=frozenset({"bad-auction"}),
    waits={"bidding": WaitClass(default_s=30)},
)


class AuctionTexts:
    """Nothing of its own is said of an auction, which has no phases."""

    spell: Mapping[str, Spell] = {}
    turn: TurnWord = "turn"

    def beside(self, event: Event, before: Play) -> Mapping[str, JsonValue]:
        del before
        assert isinstance(event, (*AUCTION_EVENTS, *TABLE_EVENTS))
        return {}

    def word(self, language: str, key: str) -> str:
        return f"{key.removeprefix('auction/')} in {language}"

    def phase(self, state: Play) -> str:
        del state
        return ""


class AuctionDrawing:
    """An auction as it is drawn: what has been sold."""

    def position(self, state: Play, language: str = ENGLISH) -> DrawnPosition:
        del language
        return DrawnPosition(facts=tuple(f"sold to {buyer}" for buyer in state.sold))


AUCTION_GAME = GamePackage(
    rules=AUCTION,
    bots={"random": HouseBot(random_bot)},
    texts=AuctionTexts(),
    drawing=AuctionDrawing(),
    published=PublishedPlainly(
        game="auction",
        title="The auction",
        book="toybook",
        about="Lots are sold",
        state=Play,
        refusals=(
            Refusal(
                code="bad-auction",
                status=422,
                title="The auction is held otherwise",
                meaning="It is held in one way, for 2 to 5.",
            ),
        ),
        unpromised={},
    ),
    scenarios=ToldPlainly(),
)
