"""What occurred over a run of Cerveauuu!, and what must: read off deck, rules and options."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, get_args

from events.kernel import Event
from games.cerveauuu.deck import CARDS
from games.cerveauuu.facts import card_events as cards
from games.cerveauuu.facts.events import EVENTS
from games.cerveauuu.model.codes import Code
from games.cerveauuu.model.ids import card_number
from games.cerveauuu.model.language import Window
from games.cerveauuu.opening.options import VALUES
from games.cerveauuu.rules.yields import yield_options
from games.table.checks import TableCode
from games.table.events import TABLE_EVENTS, Choose, ChooseSecretly
from games.trees import parts_of
from simulator.census import Census, Note
from simulator.cerveauuu.illegal import PLAY
from simulator.cerveauuu.plans import SEATS, STYLES
from simulator.cerveauuu.run import Run
from simulator.illegal import UNKNOWN_GAME
from simulator.run import RunStep

UNREACHABLE: Final[Mapping[Note, str]] = {
    ("outcome", "abandoned"): "with the last resignation but one somebody has won (C71)",
    ("refusal", str(TableCode.PHRASES_SILENCED)): "no rule of the game forbids talking",
}
"""What is not expected although one might think so, and why."""

DECISIONS: Final = (
    "place_human",
    "place_zombie",
    "wander_turn",
    "wander_batch",
    "go",
    "replan",
    "support",
    "consent",
    "respond",
    "discard",
    "yield",
    "credits_draw",
    "resign",
    "return",
)
"""All kinds of decisions (§5.7), the table's own among them."""

OUTCOMES: Final = (
    "bloodiest",
    "most_cinematic",
    "shared",
    "last_standing",
    "annulled",
    "cancelled",
)
WHY_PASSED: Final = ("hand", "yield", "dormant")
"""Why the engine passes for a seat (§5.3.2)."""

_OWN: Final = {"credits": "credits_draw"}


def kind_of(decision: str) -> str:
    """The kind of a decision by its id."""
    head, *rest = decision.split("-")
    if not head[1:].isdigit():
        return _OWN.get(head, head)
    if rest[0].startswith("w") and rest[0][1:].isdigit():
        return "respond"
    words = [part for part in rest if part.isalpha()]
    return "wander_batch" if words == ["batch"] else "_".join(words)


class CardCensus(Census):
    """Counts over many games."""

    def notes(self, match: Run) -> Iterator[Note]:
        """What was played and refused, asked and answered; and which table it was."""
        yield from _of_table(match)
        for event in match.log:
            yield from _of_event(event)
        for step in match.steps:
            yield from _of_choice(step)

    def things(self) -> Mapping[str, list[str]]:
        """What must occur, by heading."""
        playable = [name for name, card in CARDS.items() if card.type != "end_credits"]
        return {
            "card played": list(CARDS),
            "card refused": playable,
            "window": list(get_args(Window)),
            "window with a card": list(get_args(Window)),
            "passed at once": list(WHY_PASSED),
            "decision": list(DECISIONS),
            "yield": [option.id for option in yield_options()],
            "outcome": list(OUTCOMES),
            "seats": list(map(str, SEATS)),
            "style": [*dict.fromkeys(STYLES), "absent", "scenario"],
            "option": [f"{name}={value}" for name, values in VALUES.items() for value in values],
            "event": [str(kind.__struct_config__.tag) for kind in (*TABLE_EVENTS, *EVENTS)],
            "refusal": [*map(str, TableCode), *map(str, Code), UNKNOWN_GAME],
        }

    def unreachable(self) -> Mapping[Note, str]:
        """What no play brings about."""
        return UNREACHABLE


def _of_table(match: Run) -> Iterator[Note]:
    plan, result = match.plan, match.state.result
    yield "seats", str(plan.seats)
    yield "style", plan.style if plan.situation is None else "scenario"
    yield from (("option", f"{name}={value}") for name, value in plan.options.items())
    if result is not None:
        yield "outcome", result.outcome


def _of_event(event: Event) -> Iterator[Note]:
    if isinstance(event, cards.CardPlayed):
        yield "card played", event.card
    elif isinstance(event, cards.CardDrawn) and event.credits is not None:
        yield "card played", event.credits
    elif isinstance(event, cards.WindowOpened):
        yield "window", event.kind
    elif isinstance(event, cards.VersionBegan):
        yield from (("passed at once", why) for why in event.passed.values())


def _of_choice(step: RunStep) -> Iterator[Note]:
    command = step.command
    if not isinstance(command, Choose | ChooseSecretly):
        return
    option = str(command.option)
    if step.refusal is None:
        kind = kind_of(command.decision)
        yield "decision", kind
        if kind == "yield":
            yield "yield", option
        window = step.after.play.window
        if any(isinstance(event, cards.CardPlayed) for event in step.events) and window is not None:
            yield "window with a card", window.kind
    elif step.refusal[0] == TableCode.OPTION_NOT_OFFERED and option.startswith(f"{PLAY}.k"):
        number = card_number(parts_of(option)[1])
        card = step.before.play.hands.get(command.seat, {}).get(number)
        if card is not None:
            yield "card refused", card
