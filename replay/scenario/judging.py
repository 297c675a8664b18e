"""Whether a check holds at a table, and if not, why."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import UNSET, Struct

from replay.scenario import format as fm
from replay.scenario.event_words import EVENT_FIELDS, Field, plain
from replay.scenario.sight import character_of, game_of, tile_of, tiles_of
from replay.scenario.tables import Happened, Json, OpenDecision, Table


class Moment(Struct, frozen=True):
    """When a check is made: the version then, and the one before its step; ``past`` if later on."""

    version: int
    before: int
    past: bool = False


def needs_full(check: fm.AnyCheck) -> bool:
    """Whether a check asks for the full view."""
    if isinstance(check, fm.OneOfCheck):
        return any(needs_full(part) for part in check.of)
    return getattr(check, "viewer", None) == "full"


def judge(check: fm.AnyCheck, table: Table, moment: Moment) -> str | None:
    """None if the check holds, else a sentence that says what is the case instead."""
    complaint = _JUDGES[type(check)](check, table, moment)
    return None if complaint is None else f"{_brief(check)}: {complaint}"


def find_decision(
    table: Table, seat: int, kind: str | None, character: str | None = None
) -> OpenDecision | None:
    """The open decision of a seat that fits; without a kind, one that blocks the game."""
    for found in table.decisions(seat):
        fits = not (found.optional or found.answered) if kind is None else found.kind == kind
        if fits and character in {None, found.character}:
            return found
    return None


def _brief(check: fm.AnyCheck) -> str:
    return msgspec.json.encode(check).decode()


def _plain(value: object) -> Any:  # noqa: ANN401 (JSON)
    return msgspec.to_builtins(value, builtin_types=(), str_keys=True)


def _differences(check: Struct, facts: Json, skip: Sequence[str]) -> str | None:
    """What a check's named facts should be and are not."""
    wrong = []
    for name in check.__struct_fields__:
        value = getattr(check, name)
        if name in skip or value is UNSET:
            continue
        wanted = _plain(value)
        wanted = list(wanted) if isinstance(wanted, tuple) else wanted
        if facts.get(name, UNSET) != wanted:
            wrong.append(f"{name} is {facts.get(name, UNSET)!r}")
    return ", ".join(wrong) or None


def _view(check: Any, table: Table, moment: Moment) -> Json:  # noqa: ANN401 (any check with a viewer)
    return table.view(check.viewer, moment.version if moment.past else None)


def _game(check: fm.GameCheck, table: Table, moment: Moment) -> str | None:
    return _differences(check, game_of(_view(check, table, moment)), ("viewer",))


def _character(check: fm.CharacterCheck, table: Table, moment: Moment) -> str | None:
    facts = character_of(_view(check, table, moment), check.id)
    if facts is None:
        return "there is no such character"
    return _differences(check, facts, ("viewer", "id"))


def _tile(check: fm.TileCheck, table: Table, moment: Moment) -> str | None:
    facts = tile_of(_view(check, table, moment), check.at)
    if facts is None:
        return "there is no such cell"
    return _differences(check, facts, ("viewer", "at"))


def _rooms(check: fm.RoomsCheck, table: Table, moment: Moment) -> str | None:
    tiles = tiles_of(_view(check, table, moment))
    found = [
        cell
        for cell, tile in tiles.items()
        if check.kind in {UNSET, tile["kind"]} and check.up in {UNSET, tile["up"]}
    ]
    good = (
        check.count in {UNSET, len(found)}
        and (check.cells is UNSET or sorted(check.cells) == sorted(found))
        and (check.within is UNSET or set(found) <= set(check.within))
    )
    return None if good else f"they lie at {', '.join(found) or 'no cell'}"


def _roles(check: fm.RolesCheck, table: Table, moment: Moment) -> str | None:
    view = _view(check, table, moment)
    names = list(game_of(view)["characters"])
    found = [n for n in names if (c := character_of(view, n)) and c["role"] == check.role]
    return None if len(found) == check.count else f"there are {len(found)}"


def _end(check: fm.EndCheck, table: Table, moment: Moment) -> str | None:
    result = _result(table, moment)
    return "the game goes on" if result is None else _differences(check, result, ())


def _running(_: fm.RunningCheck, table: Table, moment: Moment) -> str | None:
    result = _result(table, moment)
    return None if result is None else f"it has ended: {result['outcome']}"


def _result(table: Table, moment: Moment) -> Json | None:
    view = table.view("public", moment.version if moment.past else None)
    result: Json | None = view["result"]
    return result


def _options(check: fm.OptionsCheck, table: Table, moment: Moment) -> str | None:
    _require_now(moment)
    found = find_decision(table, check.seat, check.kind, check.character)
    if found is None:
        kinds = ", ".join(d.kind for d in table.decisions(check.seat))
        return f"no such decision is open (but: {kinds or 'none'})"
    ids = set(found.options)
    good = (
        check.are in {UNSET, found.options}
        and set(check.include) <= ids
        and not set(check.exclude) & ids
        and check.count in {UNSET, len(found.options)}
        and check.default in {UNSET, found.default}
        and check.optional in {UNSET, found.optional}
    )
    options = " ".join(found.options)
    return None if good else f"there are {len(ids)}: {options}; default {found.default}"


def _no_decision(check: fm.NoDecisionCheck, table: Table, moment: Moment) -> str | None:
    _require_now(moment)
    found = find_decision(table, check.seat, check.kind, check.character)
    return None if found is None else f"{found.id} is open"


def _require_now(moment: Moment) -> None:
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


def _wanted(pattern: fm.Pattern) -> _Wanted:
    """A field that has its default is not written, neither in an event nor inside its values."""
    fields = EVENT_FIELDS.get(pattern.get("type", ""), {})
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


def _events(check: fm.EventsCheck, table: Table, moment: Moment) -> str | None:
    after = moment.before if check.since == "step" else 0
    happened = [one for one in table.events(check.viewer) if after < one.version <= moment.version]
    for pattern in map(_wanted, check.exclude):
        if any(pattern.matches(one.event) for one in happened):
            return f"it has happened: {pattern}"
    return _in_order(check.include, happened)


def _in_order(patterns: Sequence[fm.Pattern], happened: Sequence[Happened]) -> str | None:
    left = iter(happened)
    for pattern in map(_wanted, patterns):
        if not any(pattern.matches(one.event) for one in left):
            types = " ".join(one.event["type"] for one in happened)
            return f"not found, or not in this order: {pattern} in {types}"
    return None


def _one_of(check: fm.OneOfCheck, table: Table, moment: Moment) -> str | None:
    complaints = [judge(part, table, moment) for part in check.of]
    return None if None in complaints else "none of these holds"


_JUDGES: Mapping[type, Callable[[Any, Table, Moment], str | None]] = {
    fm.GameCheck: _game,
    fm.CharacterCheck: _character,
    fm.TileCheck: _tile,
    fm.RoomsCheck: _rooms,
    fm.RolesCheck: _roles,
    fm.EndCheck: _end,
    fm.RunningCheck: _running,
    fm.OptionsCheck: _options,
    fm.NoDecisionCheck: _no_decision,
    fm.EventsCheck: _events,
    fm.OneOfCheck: _one_of,
}
