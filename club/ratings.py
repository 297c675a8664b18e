"""How strong players are, by whom they have won against (pure, and the same on every machine).

A skill is a normal distribution, kept as two whole numbers. A game compares parties, whose skill is
the sum of their members': each pair of parties is a comparison of the Bradley-Terry model, by which
Weng and Lin (JMLR 12, 2011, algorithm 1) correct mean and variance of every member in closed form.
The reckoning is decimal with so many digits, in which every operation is defined to the last one,
and each game's outcome is rounded: a fold of the same games gives the same bytes everywhere. The
mean of everybody is 0, so a larger party is not stronger for being larger.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import ROUND_HALF_EVEN, Context, Decimal, localcontext
from typing import Final

from msgspec import Struct

CENTRE: Final = 1_500_000
"""What is shown of an average skill, in thousandths."""

_DIGITS: Final = 28
_NOISE: Final = Decimal(125_000) ** 2
"""By how much a member's play differs from game to game: a variance, like all squares here."""

_DRIFT: Final = Decimal(2_500) ** 2
"""By how much a skill may have changed since the last game."""

_LEAST_SHARE: Final = Decimal("0.0001")
"""Of a variance this much is left, whatever a game says."""

_HALF: Final = Decimal("0.5")


class Skill(Struct, frozen=True):
    """A skill: its mean, 0 for the average, and its standard deviation, both in thousandths."""

    mean: int = 0
    deviation: int = 250_000

    @property
    def shown(self) -> int:
        """A careful estimate, in thousandths: two deviations below the mean."""
        return CENTRE + self.mean - 2 * self.deviation


class Party(Struct, frozen=True):
    """Members who won or lost together; ``rank`` is 1 for the best."""

    members: tuple[Skill, ...]
    rank: int


class _Sum(Struct, frozen=True):
    mean: Decimal
    variance: Decimal
    rank: int


def rated(parties: Sequence[Party]) -> list[tuple[Skill, ...]]:
    """The members' skills after a game, in the order of the parties and their members.

    Several parties are compared in pairs, and a party's pairs count as one comparison together.

    Raises:
        ValueError: a game of fewer than two parties, or a party of nobody, compares nothing.
    """
    if len(parties) < 2 or not all(party.members for party in parties):  # noqa: PLR2004
        raise ValueError("a game compares two parties or more, each of somebody")
    with localcontext(Context(prec=_DIGITS, rounding=ROUND_HALF_EVEN)):
        sums = [_sum(party) for party in parties]
        found = []
        for party, own in zip(parties, sums, strict=True):
            shift, share = _evidence(own, sums)
            found.append(tuple(_corrected(each, own, shift, share) for each in party.members))
        return found


def _variance(skill: Skill) -> Decimal:
    return Decimal(skill.deviation) ** 2 + _DRIFT


def _sum(party: Party) -> _Sum:
    mean = sum(member.mean for member in party.members)
    variance = sum((_variance(member) for member in party.members), Decimal(0))
    return _Sum(Decimal(mean), variance, party.rank)


def _evidence(own: _Sum, sums: Sequence[_Sum]) -> tuple[Decimal, Decimal]:
    """By how much a party's mean moves, and by which share its variance shrinks."""
    shift, share = Decimal(0), Decimal(0)
    others = [each for each in sums if each is not own]
    for other in others:
        scale = (own.variance + other.variance + 2 * _NOISE).sqrt()
        expected = 1 / (1 + ((other.mean - own.mean) / scale).exp())
        score = _HALF if own.rank == other.rank else Decimal(own.rank < other.rank)
        shift += own.variance / scale * (score - expected)
        ratio = own.variance.sqrt() / scale
        share += ratio**3 * expected * (1 - expected)
    return shift / len(others), share / len(others)


def _corrected(member: Skill, own: _Sum, shift: Decimal, share: Decimal) -> Skill:
    variance = _variance(member)
    part = variance / own.variance
    left = max(1 - part * share, _LEAST_SHARE)
    mean = Decimal(member.mean) + part * shift
    return Skill(_whole(mean), _whole((variance * left).sqrt()))


def _whole(number: Decimal) -> int:
    return int(number.to_integral_value(ROUND_HALF_EVEN))
