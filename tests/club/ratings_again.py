"""Reckons ratings from the rows of finished games, by ``docs/ratings.md`` and no code of ours."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from decimal import Context, Decimal, localcontext
from typing import Any

Json = dict[str, Any]
Skill = tuple[int, int]
Ratings = dict[tuple[str, ...], Skill]
"""Mean and deviation by period, game, side and member."""

DIGITS = 28
NOISE, DRIFT, BEGINNING = Decimal(125_000), Decimal(2_500), (0, 250_000)


def is_rated(row: Json) -> bool:
    result = row["result"] or {"reason": ""}
    people = [seat["player"] for seat in row["seats"] if not seat.get("program")]
    parties = {seat["finish"]["party"] for seat in row["seats"] if seat.get("finish")}
    return (
        row["visibility"] == "public"
        and not row["scenario"]
        and result["reason"] in {"finished", "abandoned"}
        and len(people) == len({*people}) >= 2
        and len(parties) >= 2
    )


def folded(rows: Sequence[Json]) -> Ratings:
    ratings: Ratings = {}
    for row in sorted(rows, key=lambda row: (row["updated_at"], row["id"])):
        if is_rated(row):
            day = datetime.fromtimestamp(row["updated_at"] // 1000, UTC)
            for period in (f"{day.year}-{(day.month + 2) // 3}", "all"):
                rate(ratings, row, period)
    return ratings


def rate(ratings: Ratings, row: Json, period: str) -> None:
    parties = parties_of(row)
    keys = [[(period, row["game"], *who) for who in members] for _, members in parties]
    before = [[ratings.get(key, BEGINNING) for key in members] for members in keys]
    after = reckoned(before, [rank for rank, _ in parties])
    found: dict[tuple[str, ...], list[Skill]] = {}
    for members, skills in zip(keys, after, strict=True):
        for key, skill in zip(members, skills, strict=True):
            found.setdefault(key, []).append(skill)
    for own, skills in found.items():
        means, deviations = zip(*skills, strict=True)
        ratings[own] = sum(means) // len(skills), sum(deviations) // len(skills)


def parties_of(row: Json) -> list[tuple[int, list[tuple[str, str]]]]:
    """Each party's rank and its members, by side and name."""
    seats = [seat for seat in row["seats"] if seat.get("finish")]
    behind = 1 + max(seat["finish"]["rank"] for seat in seats)
    found: dict[str, tuple[int, list[tuple[str, str]]]] = {}
    for seat in seats:
        finish, side = seat["finish"], seat["finish"].get("side") or ""
        own = "program:" if seat.get("program") and not seat.get("bot") else ""
        member = side, f"{own}{seat['player']}"
        if finish["rank"] == 1 and seat["seat"] not in row["result"]["winners"]:
            found[f"{finish['party']} without {seat['seat']}"] = behind, [member]
            continue
        worth = f"side:{row['rulebook']}:{row['mode']}:{row['seat_count']}"
        began = finish["rank"], [(side, worth)] if side else []
        found.setdefault(finish["party"], began)[1].append(member)
    return list(found.values())


def reckoned(before: Sequence[Sequence[Skill]], ranks: Sequence[int]) -> list[list[Skill]]:
    with localcontext(Context(prec=DIGITS)):
        spreads = [[Decimal(d) ** 2 + DRIFT**2 for _, d in members] for members in before]
        means = [Decimal(sum(mean for mean, _ in members)) for members in before]
        sums = [sum(members, Decimal(0)) for members in spreads]
        after = []
        for a, members in enumerate(before):
            shift = share = Decimal(0)
            for b in range(len(before)):
                if a == b:
                    continue
                c = (sums[a] + sums[b] + 2 * NOISE**2).sqrt()
                p = 1 / (1 + ((means[b] - means[a]) / c).exp())
                s = Decimal((ranks[a] < ranks[b]) - (ranks[a] > ranks[b]) + 1) / 2
                shift += sums[a] / c * (s - p)
                share += (sums[a].sqrt() / c) ** 3 * p * (1 - p)
            shift, share = shift / (len(before) - 1), share / (len(before) - 1)
            after.append(
                [
                    (
                        round(mean + v / sums[a] * shift),
                        round((v * max(1 - v / sums[a] * share, Decimal("0.0001"))).sqrt()),
                    )
                    for (mean, _), v in zip(members, spreads[a], strict=True)
                ]
            )
    return after


def shown(skill: Skill) -> int:
    """Points."""
    mean, deviation = skill
    return (1_500_000 + mean - 2 * deviation + 500) // 1000
