"""What is on the agenda is either carried out or asked, in public or in secret."""

from __future__ import annotations

from typing import get_args

from games.cerveauuu.facts.zombie_events import MovementHalted, PathChanged
from games.cerveauuu.model.agenda import Replan, WaitFrame, WorkFrame
from games.cerveauuu.rules.engine import HANDLERS, SEALED, SINGLE, run
from games.contract import Unasked
from tests.games.cerveauuu.rules.staging import batch, lay


def test_every_frame_that_waits_asks_in_one_way() -> None:
    assert {*SINGLE, *SEALED} == set(get_args(WaitFrame))
    assert not {*SINGLE} & {*SEALED}


def test_every_other_frame_is_carried_out() -> None:
    assert set(HANDLERS) == set(get_args(WorkFrame))


def test_a_question_of_one_option_is_settled_unasked_and_said_to_be() -> None:
    """§4.7.3: a mover that was halted beside nobody has nothing to plan anew."""
    play = batch(lay("z01@r0c0:1 h01@r6c8", window="M", path="z01:r0c1"))
    play.emit(MovementHalted())
    play.push(Replan(1, play.question("replan", 1)))
    run(play)
    changed = [isinstance(event, PathChanged) for event in play.work.events]
    assert changed.index(True) == 1
    asked_nobody = Unasked(id="r1-1-replan-s1", kind="replan", seat=1, option="keep")
    assert play.work.asides == [(1, asked_nobody)]
