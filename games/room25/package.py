"""Room 25 as one value (pure)."""

from __future__ import annotations

from typing import Final

from games.bots import HouseBot, random_bot
from games.package import GamePackage
from games.room25.bots import Steady
from games.room25.decider import RULES
from games.room25.scenarios.member import Room25Scenarios
from games.room25.telling.drawing import ComplexDrawing
from games.room25.telling.published import PublishedRoom25
from games.room25.telling.texts import Room25Texts

_STEADY: Final = Steady()

GAME: Final = GamePackage(
    rules=RULES,
    bots={"random": HouseBot(random_bot), "steady": HouseBot(_STEADY.choose, _STEADY.volunteer)},
    texts=Room25Texts(),
    drawing=ComplexDrawing(),
    published=PublishedRoom25(),
    scenarios=Room25Scenarios(),
)
