"""What it takes to ask a seat something: the question, its options, what an answer does (§5.7)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec import Struct

from events.kernel import Option, Seat
from games.cerveauuu.board import Grid
from games.cerveauuu.model.state import State
from games.cerveauuu.rules.context import Play
from games.cerveauuu.rules.trees import Path

Options = Callable[[State, Grid, Any, "OpenQuestion", Path], tuple[Option, ...]]
"""The options behind a path, of which the first level is empty; none: there is no such branch."""

Default = Callable[[State, Grid, Any, "OpenQuestion"], str]
Answer = Callable[[Play, Any, "OpenQuestion", str], None]


class OpenQuestion(Struct, frozen=True):
    """A decision that is open: ``kind`` as in §5.7 without its ``d_``, ``subject`` whom it is for.

    ``answered``: a sealed answer is in and may still be replaced.
    """

    id: str
    kind: str
    seat: Seat
    subject: str | None = None
    sealed: bool = False
    answered: bool = False


class PublicAsking(Struct, frozen=True, kw_only=True):
    """How a frame asks one seat in public.

    ``answer`` carries an option out; the frame is off the agenda by then.
    """

    question: Callable[[State, Any], OpenQuestion]
    options: Options
    default: Default
    answer: Answer


class SealedAsking(Struct, frozen=True, kw_only=True):
    """How a frame asks several seats at once, who answer in secret until ``close`` judges.

    ``questions`` are those that are asked, the answered ones too; whoever is not asked has the
    default. ``answer`` records an answer. ``key`` names the wait.
    """

    questions: Callable[[State, Grid, Any], tuple[OpenQuestion, ...]]
    options: Options
    default: Default
    answer: Answer
    close: Callable[[Play, Any], None]
    key: Callable[[State, Any], str]
