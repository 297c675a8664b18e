"""What is on the agenda is either carried out or asked, in public or in secret."""

from __future__ import annotations

from typing import get_args

from games.cerveauuu.model.agenda import WaitFrame, WorkFrame
from games.cerveauuu.rules.engine import HANDLERS, SEALED, SINGLE


def test_every_frame_that_waits_asks_in_one_way() -> None:
    assert {*SINGLE, *SEALED} == set(get_args(WaitFrame))
    assert not {*SINGLE} & {*SEALED}


def test_every_other_frame_is_carried_out() -> None:
    assert set(HANDLERS) == set(get_args(WorkFrame))
