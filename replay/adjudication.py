"""Judging the recorded commands of a game again, by one set of rules (pure).

The rules of this program are called directly (``judge``), those of earlier releases in a separate
process (``archived``): this module is the same for both, and is archived with them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

import msgspec
from msgspec import UNSET, Struct

from events import seal
from events.codec import Batch, Codec, Envelope
from events.draw import Draw
from events.kernel import Actor, Command, Context, Event, Rejected, Working
from events.registry import Registry
from events.secrecy import InTheClear
from games.table.decider import Table
from games.table.events import ChooseSealed
from games.table.keeping import stand_in
from games.table.state import TableState
from replay.cases import FORMAT, Try, Verdict, Wrong

UNFOLDABLE: Final = (Exception,)
"""What evolving raises on inconsistent events: it trusts them, so a forged record may break
anything in it."""

_TWISTS: Final = ("?heads", "?tails", "?edge")
"""What labels end with where draws are to come out otherwise."""
_MISSING: Final = object()
_OFFER_BYTES: Final = 9


class JudgingRules(Struct, frozen=True):
    """Rules to judge by: the decider, a game's types, and the tags that its batches record.

    ``tags`` is None where these rules judge no batch of the game.
    """

    table: Table
    registry: Registry
    tags: str | None


class Recorded(NamedTuple):
    """An event in full, and the public bytes that it was read from."""

    envelope: Envelope
    public: bytes


class _Trial(Struct, frozen=True):
    """A recorded batch and the state before its command."""

    state: TableState
    recorded: Sequence[Recorded]
    batch: Batch

    @property
    def version(self) -> int:
        return self.recorded[0].envelope.version


class _NoTrialError(Exception):
    """Nothing can be judged from this version on; ``is_ours``: the batch is one of our rules."""

    def __init__(self, version: int, why: str, *, is_ours: bool) -> None:
        super().__init__(why)
        self.wrong = Wrong(version, why)
        self.is_ours = is_ours


def recording_draws(labels: list[str], twist: str = "", only: str = "") -> type[Draw]:
    """A ``Draw`` class that records its labels; with a ``twist``, one that draws differently.

    ``only``: the one label under which it does, and not under all.
    """

    class Recording(Draw):
        """Draws that are watched."""

        def _numbers(self, label: str, bounds: Sequence[int]) -> list[int]:
            labels.append(label)
            return super()._numbers(label + twist if only in {"", label} else label, bounds)

    return Recording


class Adjudicator:
    """Judges recorded commands by one set of rules.

    Args:
        rules: the rules to judge by.
        stream: the game's id.
        recorded: its events from the first on, in whole batches.
        salt_key: the source of all salts, if known.
    """

    def __init__(
        self, rules: JudgingRules, stream: str, recorded: Sequence[Recorded], salt_key: bytes | None
    ) -> None:
        self._rules = rules
        self._stream = stream
        self._recorded = recorded
        self._codec = Codec(rules.registry, InTheClear(salt_key))

    def verdict(self, *, offers: bool = False, tries: Sequence[Try] = ()) -> Verdict:
        """The rules' verdict; see ``Case`` for what else may be asked."""
        drawn, judged, offered = 0, 0, []
        judgement = draws = stuck = None
        answers = _Answers(self._rules, tries)
        try:
            for trial in self._trials():
                answers.add(trial.state, trial.version - 1)
                if trial.batch.rules != self._rules.tags:
                    continue
                if offers:
                    offered.append(self._offers(trial.state))
                labels: list[str] = []
                wrong, wrongly_drawn = self._judge(trial, labels)
                judgement, draws = judgement or wrong, draws or wrongly_drawn
                drawn, judged = drawn + len(labels), judged + 1
        except _NoTrialError as end:
            if end.is_ours:
                judgement = judgement or end.wrong
            else:
                stuck = end.wrong
        return Verdict(
            format=FORMAT,
            judged=judged,
            drawn=drawn,
            judgement=judgement,
            draws=draws,
            stuck=stuck,
            offers=tuple(offered),
            answers=answers.in_order(),
        )

    def asides(self) -> list[tuple[int, object]]:
        """What the rules say beside the events, each with the version of the last event before it.

        As far as the commands can be carried out again: none of what follows one that cannot.
        """
        found: list[tuple[int, object]] = []
        try:
            for trial in self._trials():
                before = trial.version - 1
                work = self._carry_out(trial, Draw)
                found += [(before + count, aside) for count, aside in work.asides]
        except (_NoTrialError, Rejected):
            return found
        return found

    def _trials(self) -> Iterator[_Trial]:
        """Every batch with the state before it.

        Raises:
            _NoTrialError: there is no command, or the events do not fold.
        """
        table = self._rules.table
        state = table.initial()
        for recorded in _batches(self._recorded):
            first = recorded[0].envelope
            if first.batch is None:
                raise _NoTrialError(first.version, "no command made this event", is_ours=True)
            yield _Trial(state, recorded, first.batch)
            is_ours = first.batch.rules == self._rules.tags
            state = table.copy(state)
            for each, _ in recorded:
                try:
                    state = table.evolve(state, each.event)
                except UNFOLDABLE as error:
                    why = "the events do not fold from here"
                    raise _NoTrialError(each.version, why, is_ours=is_ours) from error

    def _judge(self, trial: _Trial, labels: list[str]) -> tuple[Wrong | None, Wrong | None]:
        """What is wrong with one batch and its draws, whose labels are added to ``labels``."""
        try:
            events = self._carry_out(trial, recording_draws(labels)).events
            wrong = self._compare(trial, events)
            return wrong, self._compare_drawn(trial, events, labels) if labels else None
        except Rejected as no:
            name = type(trial.batch.command).__name__
            return Wrong(trial.version, f"the rules refuse this {name}: {no.code}"), None
        except Exception as error:  # noqa: BLE001 (a forged record may break anything in the rules)
            why = f"this command cannot be judged: {type(error).__name__}"
            return Wrong(trial.version, why), None

    def _carry_out(self, trial: _Trial, draw: type[Draw]) -> Working[TableState]:
        table, batch = self._rules.table, trial.batch
        at = trial.recorded[0].envelope.at
        context = Context(at, batch.actor, draw(table.seed(trial.state)))
        return table.carry_out(self._command(trial), trial.state, context)

    def _command(self, trial: _Trial) -> Command:
        """The command of a batch; where its choice is kept, one that stands in for it.

        Raises:
            Rejected: the decision is not open.
        """
        command = trial.batch.command
        if not isinstance(command, ChooseSealed):
            return command
        decision = self._rules.table.open_decision(trial.state, command.seat, command.decision)
        return stand_in(decision, command)

    def _compare(self, trial: _Trial, events: Sequence[Event]) -> Wrong | None:
        """The first event of a batch that differs, in any byte, from what the rules make."""
        sealed = self._codec.encode_batch(
            self._stream,
            events,
            msgspec.structs.replace(trial.batch, command=self._command(trial)),
            at=trial.recorded[0].envelope.at,
            first_version=trial.version,
            previous_head=seal.genesis(self._stream),
        )
        recorded = [public for _, public in trial.recorded]
        for i, (public, _) in enumerate(sealed.entries):
            if i >= len(recorded):
                kind = type(events[i]).__struct_config__.tag
                return Wrong(trial.version + i, f"the rules make one more event here: {kind}")
            said = trial.recorded[i].envelope
            if says_otherwise(said.event, events[i]):
                return Wrong(trial.version + i, "what is opened is not what the rules make")
            ours, theirs = public, recorded[i]
            if hidden := kept_paths(said):
                ours, theirs = without_seals(ours, hidden), without_seals(theirs, hidden)
            if theirs != ours:
                return Wrong(trial.version + i, what_differs(theirs, ours))
        if len(recorded) > len(events):
            return Wrong(trial.version + len(events), "the rules do not make this event")
        return None

    def _compare_drawn(
        self, trial: _Trial, events: Sequence[Event], labels: Sequence[str]
    ) -> Wrong | None:
        """The first fact of a batch that hangs on a draw and is not what the seed gives."""
        facts = [_facts(event) for event in events]
        hanging = self._hanging(trial, facts)
        for i, drawn in enumerate(facts):
            names = sorted(name for kind, name in hanging if kind == drawn["type"])
            if names and i >= len(trial.recorded):
                return Wrong(trial.version, "events are missing that hang on draws")
            for name in names:
                envelope, public = trial.recorded[i]
                said, fact = _facts(envelope.event), (drawn["type"], name)
                if _differ(name, said, drawn):
                    secret = name in msgspec.json.decode(public).get("seals", ())
                    why = misdrawn(name, None if secret else (said, drawn))
                    by = ", ".join(x for x in labels if fact in self._hanging(trial, facts, x))
                    return Wrong(envelope.version, f"{why} ({by})" if by else why)
        return None

    def _hanging(
        self, trial: _Trial, facts: Sequence[Mapping[str, Any]], label: str = ""
    ) -> set[tuple[str, str]]:
        """Which facts of a batch other draws change, or another one under this label.

        By types of events: some of several dealt roles may be the same under every draw that is
        tried, but hardly all.
        """
        found: set[tuple[str, str]] = set()
        for twist in _TWISTS:
            other = self._carry_out(trial, recording_draws([], twist, label)).events
            for ours, theirs in zip(facts, map(_facts, other), strict=False):
                found |= {(ours["type"], n) for n in {*ours, *theirs} if _differ(n, ours, theirs)}
        return found

    def _offers(self, state: TableState) -> str:
        """A digest of every seat's options."""
        table = self._rules.table
        found = [table.decisions(state, seat) for seat in sorted(state.seats)]
        return seal.text_of(hashlib.sha256(seal.canonical_plain(found)).digest()[:_OFFER_BYTES])


def kept_paths(envelope: Envelope) -> frozenset[str]:
    """The paths of an entry's kept fields: their salts follow from no key that is published."""
    found = {f"event.{name}" for name in envelope.event.withheld}
    if envelope.batch is not None:
        found |= {f"command.{name}" for name in envelope.batch.command.withheld}
    return frozenset(found)


def without_seals(public: bytes, paths: frozenset[str]) -> bytes:
    """The public bytes of an entry but for what these commitments say."""
    line = msgspec.json.decode(public)
    for part, holder in (("event", line), ("command", line.get("batch") or {})):
        seals = holder.get("seals", {})
        seals.update((name, "") for name in seals if f"{part}.{name}" in paths)
    return seal.canonical_plain(line)


def says_otherwise(recorded: Event, made: Event) -> bool:
    """Whether a kept field that is opened holds something else than the rules make."""
    return type(recorded) is type(made) and any(
        getattr(recorded, name) not in {UNSET, getattr(made, name)} for name in recorded.withheld
    )


class _Answers:
    """The answers to commands that are tried, by the rules alone."""

    def __init__(self, rules: JudgingRules, tries: Sequence[Try]) -> None:
        self._rules = rules
        self._answers = dict.fromkeys(range(len(tries)), "")
        self._waiting: dict[int, list[tuple[int, Try]]] = {}
        for number, each in enumerate(tries):
            self._waiting.setdefault(each.after, []).append((number, each))

    def add(self, state: TableState, version: int) -> None:
        """Try what is to be tried in the state of a version."""
        for number, each in self._waiting.get(version, ()):
            self._answers[number] = self._answer(state, each)

    def _answer(self, state: TableState, wanted: Try) -> str:
        table, kind = self._rules.table, wanted.by.partition(":")
        actor = Actor(kind[0], kind[2])  # type: ignore[arg-type]  # no rule takes another kind
        try:
            command: Command = self._rules.registry.commands.upcast(wanted.command, {}, 1)
            table.carry_out(command, state, Context(wanted.at, actor, Draw(table.seed(state))))
        except Rejected as no:
            return no.code
        except Exception as error:  # noqa: BLE001 (any answer is one, and is compared)
            return type(error).__name__
        return ""

    def in_order(self) -> tuple[str, ...]:
        """The answers in the order of the questions."""
        return tuple(self._answers.values())


def _batches(recorded: Sequence[Recorded]) -> Iterator[Sequence[Recorded]]:
    """The events of each command."""
    begins = [i for i, each in enumerate(recorded) if i and each.envelope.batch is not None]
    for begin, end in zip([0, *begins], [*begins, len(recorded)], strict=True):
        if begin < end:
            yield recorded[begin:end]


def _facts(event: Event) -> Mapping[str, Any]:
    facts: dict[str, Any] = seal.plain(event)  # type: ignore[assignment]  # a struct gives a dict
    return facts


def _differ(name: str, ours: Mapping[str, Any], theirs: Mapping[str, Any]) -> bool:
    """Whether a fact differs; a default is not written at all."""
    return bool(ours.get(name, _MISSING) != theirs.get(name, _MISSING))


def what_differs(recorded: bytes, expected: bytes) -> str:
    """The first place where two public forms differ, and how.

    A secret field is shown by its commitment, without its value.
    """
    path, old, new = _first_difference("", _decoded(recorded), _decoded(expected))
    if ".seals." in f".{path}":
        return f"the secret field {path.rpartition('.')[2]} is not what the rules make"
    return f"{path} is {_word(old)}, the rules make it {_word(new)}"


def misdrawn(name: str, facts: tuple[Mapping[str, Any], Mapping[str, Any]] | None) -> str:
    """Where a fact is not what the seed gives, and how, by the recorded ``facts`` and the drawn.

    Of a secret one, which has none, only its name is told.
    """
    if facts is None:
        return f"the secret field {name} is not what the seed gives"
    said, drawn = ({name: each.get(name, _MISSING)} for each in facts)
    path, old, new = _first_difference("", said, drawn)
    return f"{path} is {_word(old)}, the seed gives {_word(new)}"


def _decoded(public: bytes) -> object:
    return msgspec.json.decode(public)


def _word(value: object) -> str:
    return "absent" if value is _MISSING else msgspec.json.encode(value).decode()


def _first_difference(path: str, old: object, new: object) -> tuple[str, object, object]:
    if isinstance(old, dict) and isinstance(new, dict):
        for key in sorted({*old, *new}):
            one, other = old.get(key, _MISSING), new.get(key, _MISSING)
            if one is _MISSING or other is _MISSING or one != other:
                return _first_difference(f"{path}.{key}" if path else str(key), one, other)
    if isinstance(old, list | tuple) and isinstance(new, list | tuple) and len(old) == len(new):
        at = next(i for i, (one, other) in enumerate(zip(old, new, strict=True)) if one != other)
        return _first_difference(f"{path}[{at}]", old[at], new[at])
    return path, old, new
