"""Cerveauuu! as one value (pure)."""

from __future__ import annotations

from typing import Final

from games.bots import HouseBot
from games.cerveauuu.bots import AtRandom, Steady
from games.cerveauuu.decider import CERVEAUUU, RULES
from games.cerveauuu.scenarios.member import CerveauuuScenarios
from games.cerveauuu.telling.drawing import TownDrawing
from games.cerveauuu.telling.published import PublishedCerveauuu
from games.cerveauuu.telling.texts import CerveauuuTexts
from games.package import GamePackage

GAME: Final = GamePackage(
    rules=RULES,
    bots={
        "random": HouseBot(AtRandom(CERVEAUUU.branch).choose),
        "steady": HouseBot(Steady(CERVEAUUU.branch).choose),
    },
    texts=CerveauuuTexts(),
    drawing=TownDrawing(),
    published=PublishedCerveauuu(),
    scenarios=CerveauuuScenarios(),
)
"""How Cerveauuu! is played, told, drawn, published and put to the test."""
