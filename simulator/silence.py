"""The oracle of silence: whether anybody may talk follows from what everybody knows.

Whoever is refused a phrase learns why; so must the public have known it, at every step and in any
world. What the table goes by is compared with the same question put to the public's view, which
holds no secret that an answer could depend on.
"""

from __future__ import annotations

from events.kernel import PUBLIC, redact
from games.table.state import TableState
from simulator.run import AnyRun, RunStep, require


class PublicSilence:
    """What the public knows of a game, followed by its events."""

    def __init__(self) -> None:
        self._view: TableState | None = None

    def accepted(self, match: AnyRun, step: RunStep) -> None:
        """Compare the silence of the table with that of the public's view.

        Raises:
            PropertyBroken: they differ, so that a refused phrase tells a secret.
        """
        table = match.table
        view = table.initial() if self._view is None else self._view
        for event in step.events:
            view = table.evolve(view, redact(event, PUBLIC))
        self._view = view
        if step.after.phase == "live":
            silent = table.rules[step.after.game].phrases.is_silenced
            require(
                silent(step.after.play) == silent(view.play),
                f"a player who is refused a phrase can tell a secret after {step.command}",
            )

    def ended(self, match: AnyRun) -> None:
        """Nothing is left to say."""
        del match
