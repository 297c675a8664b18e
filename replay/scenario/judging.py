"""Whether a check holds at a table, and if not, why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec import UNSET, Struct

from games.scenarios import Check, differences
from replay.scenario import format as fm
from replay.scenario.dialect import Dialect, Field, plain
from replay.scenario.tables import Json, OpenDecision, ScenarioTable, SeenEvent, TableRefusal


class CheckMoment(Struct, frozen=True):
    """When a check is made: the version then, and the one before its step; ``past`` if later on."""

    version: int
    before: int
    past: bool = False


def needs_full(check: Check) -> bool:
    """Whether a check asks for the full view."""
    if isinstance(check, fm.OneOfCheck):
        return any(needs_full(part) for part in check.of)
    return getattr(check, "viewer", None) == "full"


def judge(check: Check, table: ScenarioTable, moment: CheckMoment, dialect: Dialect) -> str | None:
    """None if the check holds, else a sentence that says what is the case instead."""
    complaint = _complaint(check, table, moment, dialect)
    return None if complaint is None else f"{_brief(check)}: {complaint}"


def _complaint(
    check: Check, table: ScenarioTable, moment: CheckMoment, dialect: Dialect
) -> str | None:
    match check:
        case fm.EndCheck():
            return _end(check, table, moment)
        case fm.RunningCheck():
            return _running(table, moment)
        case fm.OptionsCheck():
            return _options(check, table, moment)
        case fm.NoDecisionCheck():
            return _no_decision(check, table, moment)
        case fm.EventsCheck():
            return _events(check, table, moment, dialect)
        case fm.OneOfCheck():
            complaints = [judge(part, table, moment, dialect) for part in check.of]
            return None if None in complaints else "none of these holds"
        case _:  # the game's own: what its viewer sees of the game decides
            viewer: str = getattr(check, "viewer", "public")
            return dialect.told.judge(check, _view(viewer, table, moment)["play"])


def find_decision(
    table: ScenarioTable, seat: int, kind: str | None, character: str | None = None
) -> OpenDecision | None:
    """The open decision of a seat that fits; without a kind, one that blocks the game."""
    for found in table.decisions(seat):
        fits = not (found.optional or found.answered) if kind is None else found.kind == kind
        if fits and character in {None, found.character}:
            return found
    return None


def _brief(check: Check) -> str:
    return msgspec.json.encode(check).decode()


def _view(viewer: str, table: ScenarioTable, moment: CheckMoment) -> Json:
    return table.view(viewer, moment.version if moment.past else None)


def _end(check: fm.EndCheck, table: ScenarioTable, moment: CheckMoment) -> str | None:
    result = _result(table, moment)
    return "the game goes on" if result is None else differences(check, result, ())


def _running(table: ScenarioTable, moment: CheckMoment) -> str | None:
    result = _result(table, moment)
    return None if result is None else f"it has ended: {result['outcome']}"


def _result(table: ScenarioTable, moment: CheckMoment) -> Json | None:
    result: Json | None = _view("public", table, moment)["result"]
    return result


def _options(check: fm.OptionsCheck, table: ScenarioTable, moment: CheckMoment) -> str | None:
    _require_now(moment)
    found = find_decision(table, check.seat, check.kind, check.character)
    if found is None:
        kinds = ", ".join(d.kind for d in table.decisions(check.seat))
        return f"no such decision is open (but: {kinds or 'none'})"
    listed = found.options
    if check.below is not None:
        try:
            listed = table.below(check.seat, found.id, check.below)
        except TableRefusal as refused:
            return f"nothing is below {check.below}: {refused}"
    ids = set(listed)
    good = (
        check.are in {UNSET, listed}
        and set(check.include) <= ids
        and not set(check.exclude) & ids
        and check.count in {UNSET, len(listed)}
        and check.default in {UNSET, found.default}
        and check.optional in {UNSET, found.optional}
        and check.secret in {UNSET, found.secret}
    )
    told = f"{' '.join(listed)}; default {found.default}{'; secret' if found.secret else ''}"
    return None if good else f"there are {len(ids)}: {told}"


def _no_decision(
    check: fm.NoDecisionCheck, table: ScenarioTable, moment: CheckMoment
) -> str | None:
    _require_now(moment)
    found = find_decision(table, check.seat, check.kind, check.character)
    return None if found is None else f"{found.id} is open"


def _require_now(moment: CheckMoment) -> None:
    if moment.past:
        raise ValueError("what is open can only be judged now, never together with the full view")


class _Wanted(Struct, frozen=True):
    """A pattern made ready: what each field must be, and is where the event leaves it out."""

    pattern: fm.Pattern
    values: Mapping[str, tuple[Any, Any]]

    def __str__(self) -> str:
        return str(dict(self.pattern))

    def matches(self, event: Json) -> bool:
        return all(event.get(name, left) == value for name, (value, left) in self.values.items())


def _wanted(pattern: fm.Pattern, dialect: Dialect) -> _Wanted:
    """A field that has its default is not written, neither in an event nor inside its values."""
    fields = dialect.event_fields.get(pattern.get("type", ""), {})
    values = {}
    for name, value in pattern.items():
        field = fields.get(name)
        values[name] = (value, UNSET) if field is None else (_written(value, field), field.default)
    return _Wanted(pattern, values)


def _written(value: object, field: Field) -> Any:  # noqa: ANN401 (JSON)
    """A value as events write it; one that the field cannot have stays, and matches nothing."""
    try:
        return plain(msgspec.convert(value, field.type, str_keys=True))
    except msgspec.ValidationError:
        return value


def _events(
    check: fm.EventsCheck, table: ScenarioTable, moment: CheckMoment, dialect: Dialect
) -> str | None:
    after = moment.before if check.since == "step" else 0
    happened = [one for one in table.events(check.viewer) if after < one.version <= moment.version]
    for pattern in check.exclude:
        wanted = _wanted(pattern, dialect)
        if any(wanted.matches(one.event) for one in happened):
            return f"it has happened: {wanted}"
    return _in_order([_wanted(pattern, dialect) for pattern in check.include], happened)


def _in_order(wanted: Sequence[_Wanted], happened: Sequence[SeenEvent]) -> str | None:
    left = iter(happened)
    for pattern in wanted:
        if not any(pattern.matches(one.event) for one in left):
            types = " ".join(one.event["type"] for one in happened)
            return f"not found, or not in this order: {pattern} in {types}"
    return None
