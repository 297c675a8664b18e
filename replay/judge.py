"""The checks that run the rules: draws, and every command judged again (pure)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

import msgspec
from msgspec import Struct

from events import seal
from events.codec import Batch, Codec, Envelope
from events.draw import Draw
from events.kernel import Context, Event, Rejected, Working
from games.table_state import TableState
from projections.record import Entry
from projections.shelf import Shelf
from replay.checks import UNFOLDABLE, salt_key
from replay.decoding import rules_of
from replay.findings import DRAWS, JUDGEMENT, Finding, failed, not_checked, ok
from replay.source import ClearKeys, Source

_TWISTS: Final = (b"heads", b"tails", b"edge")
_MISSING: Final = object()


class _Trial(Struct, frozen=True):
    """A recorded batch, the state before its command, and the tag of our rules for it."""

    state: TableState
    recorded: tuple[Envelope, ...]
    batch: Batch
    rules: str | None

    @property
    def version(self) -> int:
        return self.recorded[0].version


def recording_draws(labels: list[str], twist: bytes = b"") -> type[Draw]:
    """A kind of ``Draw`` that notes its labels; with a ``twist``, one that draws otherwise."""

    class Recording(Draw):
        """Draws that are watched."""

        def __init__(self, seed: bytes) -> None:
            super().__init__(seed + twist if seed else seed)

        def _numbers(self, label: str, bounds: Sequence[int]) -> list[int]:
            labels.append(label)
            return super()._numbers(label, bounds)

    return Recording


class Judge:
    """Judges the recorded commands by the rules of this program.

    Args:
        source: what is judged.
        envelopes: its events in full.
        shelf: the games and their rules.

    Raises:
        UnknownGame: nobody plays the source's game here.
        ValueError: the game key is not in hexadecimal.
    """

    def __init__(self, source: Source, envelopes: Sequence[Envelope], shelf: Shelf) -> None:
        self._source = source
        self._envelopes = envelopes
        self._shelf = shelf
        key = salt_key(source)
        keys = ClearKeys() if key is None else ClearKeys(key)
        self._codec = Codec(shelf.registry(source.game), keys)

    def findings(self) -> list[Finding]:
        """Draws and re-adjudication: what is wrong first, or how much was found right."""
        drawn, judged, foreign = 0, 0, set()
        wrong: dict[str, Finding] = {}
        try:
            for trial in self._trials():
                if trial.batch.rules != trial.rules:
                    foreign.add(trial.batch.rules)
                    continue
                labels: list[str] = []
                found = self._judge(trial, labels)
                for finding in found:
                    wrong.setdefault(finding.name, finding)
                drawn, judged = drawn + len(labels), judged + 1
        except _NoTrialError as end:
            wrong.setdefault(JUDGEMENT, failed(JUDGEMENT, str(end), end.version))
        results = {DRAWS: f"{drawn} draws made again", JUDGEMENT: f"{judged} commands judged again"}
        if foreign:
            why = f"{judged} commands checked; others were judged by {', '.join(sorted(foreign))}"
            return [wrong.get(name) or not_checked(name, why) for name in results]
        return [wrong.get(name) or ok(name, detail) for name, detail in results.items()]

    def _trials(self) -> Iterator[_Trial]:
        """Every batch with the state before it.

        Raises:
            _NoTrialError: there is no command, or the events do not fold.
        """
        table = self._shelf.table
        state, rest = table.initial(), list(self._envelopes)
        rules = rules_of(rest, self._shelf)
        while rest:
            count = next((i for i, e in enumerate(rest) if i and e.batch is not None), len(rest))
            recorded, rest = tuple(rest[:count]), rest[count:]
            first = recorded[0]
            if first.batch is None:
                raise _NoTrialError(first.version, "no command made this event")
            yield _Trial(state, recorded, first.batch, rules)
            state = table.copy(state)
            for each in recorded:
                try:
                    state = table.evolve(state, each.event)
                except UNFOLDABLE as error:
                    why = "the events do not fold from here"
                    raise _NoTrialError(each.version, why) from error

    def _judge(self, trial: _Trial, labels: list[str]) -> list[Finding]:
        """What is wrong with one batch; ``labels`` takes the labels of its draws."""
        try:
            events = self._decide(trial, recording_draws(labels))
            found = [self._compare(trial, events)]
            if labels:
                found.append(self._compare_drawn(trial, events))
        except Rejected as no:
            name = type(trial.batch.command).__name__
            return [failed(JUDGEMENT, f"the rules refuse this {name}: {no.code}", trial.version)]
        except Exception as error:  # noqa: BLE001 (a forged record may break anything in the rules)
            why = f"this command cannot be judged: {type(error).__name__}"
            return [failed(JUDGEMENT, why, trial.version)]
        return [finding for finding in found if finding is not None]

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

    def _decide(self, trial: _Trial, draw: type[Draw]) -> list[Event]:
        return self._carry_out(trial, draw).events

    def _carry_out(self, trial: _Trial, draw: type[Draw]) -> Working[TableState]:
        table, batch = self._shelf.table, trial.batch
        context = Context(trial.recorded[0].at, batch.actor, draw(table.seed(trial.state)))
        return table.carry_out(batch.command, trial.state, context)

    def _compare(self, trial: _Trial, events: Sequence[Event]) -> Finding | None:
        """The first event of a batch that is not, byte for byte, what the rules make."""
        first = trial.recorded[0]
        sealed = self._codec.encode_batch(
            self._source.stream,
            events,
            trial.batch,
            at=first.at,
            first_version=first.version,
            previous_head=seal.genesis(self._source.stream),
        )
        recorded = [e.public for e in self._entries(trial)]
        for i, (public, _) in enumerate(sealed.entries):
            if i >= len(recorded):
                kind = type(events[i]).__struct_config__.tag
                why = f"the rules make one more event here: {kind}"
                return failed(JUDGEMENT, why, first.version + i)
            if recorded[i] != public:
                return failed(JUDGEMENT, what_differs(recorded[i], public), first.version + i)
        if len(recorded) > len(events):
            extra = first.version + len(events)
            return failed(JUDGEMENT, "the rules do not make this event", extra)
        return None

    def _entries(self, trial: _Trial) -> list[Entry]:
        wanted = {e.version for e in trial.recorded}
        return [entry for entry in self._source.entries if entry.version in wanted]

    def _compare_drawn(self, trial: _Trial, events: Sequence[Event]) -> Finding | None:
        """The first fact of a batch that hangs on a draw and is not what the seed gives.

        A fact hangs on a draw if it comes out otherwise under other seeds.
        """
        drawn: set[tuple[int, str]] = set()
        facts = [_facts(event) for event in events]
        for twist in _TWISTS:
            other = self._decide(trial, recording_draws([], twist))
            for i, (ours, theirs) in enumerate(zip(facts, map(_facts, other), strict=False)):
                drawn |= {(i, n) for n in {*ours, *theirs} if _differ(n, ours, theirs)}
        for i, name in sorted(drawn):
            if i >= len(trial.recorded):
                return failed(DRAWS, "events are missing that hang on draws", trial.version)
            if _differ(name, _facts(trial.recorded[i].event), facts[i]):
                why = f"{name} is not what the seed gives"
                return failed(DRAWS, why, trial.recorded[i].version)
        return None


class _NoTrialError(Exception):
    """Nothing can be judged from this version on."""

    def __init__(self, version: int, why: str) -> None:
        super().__init__(why)
        self.version = version


def _facts(event: Event) -> dict[str, Any]:
    facts: dict[str, Any] = seal.plain(event)  # type: ignore[assignment]  # a struct gives a dict
    return facts


def _differ(name: str, ours: dict[str, Any], theirs: dict[str, Any]) -> bool:
    """Whether a fact differs; one that has its default is not written at all."""
    return bool(ours.get(name, _MISSING) != theirs.get(name, _MISSING))


def what_differs(recorded: bytes, expected: bytes) -> str:
    """The first place where two public forms differ, and how.

    A secret field shows by its commitment; its value is not told.
    """
    path, old, new = _first_difference("", _decoded(recorded), _decoded(expected))
    if ".seals." in f".{path}":
        return f"the secret field {path.rpartition('.')[2]} is not what the rules make"
    return f"{path} is {_word(old)}, the rules make it {_word(new)}"


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
    return path, old, new
