"""What a game is: one value, from which each user takes the member that it needs (pure)."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from games.bots import HouseBot
from games.contract import Rules
from games.drawing import Drawing
from games.published import Published
from games.scenarios import Scenarios
from games.texts import Texts


class GamePackage(Struct, frozen=True, kw_only=True, eq=False):
    """A game.

    ``rules`` decide it. ``bots`` are its house bots by the name under which a host seats them,
    ``texts`` say what happens in it, ``drawing`` shows it as text and as an image, ``published`` is
    what the API tells of it, and ``scenarios`` what scenario files can say of it.
    """

    rules: Rules
    bots: Mapping[str, HouseBot]
    texts: Texts
    drawing: Drawing
    published: Published
    scenarios: Scenarios
