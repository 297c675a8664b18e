"""Archived rules at work: cases are read from standard input, verdicts written to standard output.

An archive of rules holds this module as it was, and all that it imports; nothing else of a release
is ever run again. It knows no file, clock, network or store.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any, BinaryIO

import msgspec

from events.codec import Codec, CodecError
from events.envelope import Fields, Head, LooseLine, Stored
from events.registry import Registry
from events.seal import HASH_BYTES
from events.secrecy import InTheClear, SecretError
from games.contract import Game
from games.registry import GAMES
from games.table import TABLE_RULES, Table
from games.table_checks import HOUSE_BOTS
from games.table_events import TABLE_COMMANDS, TABLE_EVENTS
from replay.adjudication import Adjudicator, Recorded, Rules
from replay.cases import Case, Verdict, Wrong, encode_line, read_case

_decode_loose = msgspec.json.Decoder(LooseLine).decode


class WrongRulesError(Exception):
    """These rules have never judged what they are asked about."""


class Court:
    """The rules of a build, at hand to judge by.

    Args:
        games: the games by id.
    """

    def __init__(self, games: Mapping[str, Game[Any]] = GAMES) -> None:
        self._table = Table(games, HOUSE_BOTS)
        self._registries = {
            id_: Registry((*TABLE_EVENTS, *game.events), TABLE_COMMANDS)
            for id_, game in games.items()
        }

    def rules_for(self, game: str, rulebook: str) -> Rules:
        """The rules of a game by a rulebook.

        Raises:
            WrongRulesError: there are none.
        """
        found = self._table.games.get(game)
        tag = None if found is None else found.rules.get(rulebook)
        if tag is None:
            raise WrongRulesError(f"no rules for {game} by {rulebook}")
        return Rules(self._table, self._registries[game], f"{TABLE_RULES} {tag}")

    def judge(self, case: Case) -> Verdict:
        """The verdict on a case.

        Raises:
            WrongRulesError: it is about other rules than these.
        """
        rules = self.rules_for(case.game, case.rulebook)
        if rules.tags != case.rules:
            raise WrongRulesError(f"these are {rules.tags}, not {case.rules}")
        recorded, end = _read(case, rules)
        adjudicator = Adjudicator(rules, case.stream, recorded, case.salt_key)
        found = adjudicator.verdict(offers=case.offers, tries=case.tries)
        if end is None or found.judgement is not None or found.stuck is not None:
            return found
        wrong, is_ours = end
        changed = {"judgement": wrong} if is_ours else {"stuck": wrong}
        return msgspec.structs.replace(found, **changed)


def main(lines: BinaryIO, verdicts: BinaryIO) -> None:
    """Answer cases, a line each, until there are no more.

    Raises:
        ValueError: a line is no case.
        WrongRulesError: a case is about other rules than these.
    """
    court = Court()
    verdicts.writelines(encode_line(court.judge(read_case(line))) + b"\n" for line in lines)


def _read(case: Case, rules: Rules) -> tuple[list[Recorded], tuple[Wrong, bool] | None]:
    """The events up to the last batch that these rules judged, as far as they can be read.

    What cannot be read is told with whether these very rules are said to have made it.
    """
    codec = Codec(rules.registry, InTheClear(case.salt_key or bytes(HASH_BYTES)))
    recorded: list[Recorded] = []
    stored = case.stored()
    heads = [_head(each) for each in stored]
    ours = [i for i, head in enumerate(heads) if head is not None and head.rules == case.rules]
    last = ours[-1] if ours else -1
    begins = 0
    for i, each in enumerate(stored):
        if heads[i] is not None:
            if i > last:
                break
            begins = i
        try:
            recorded.append(Recorded(codec.decode(case.stream, each), each.public))
        except (CodecError, SecretError, ValueError) as error:
            # A batch is judged as a whole: what could be read of this one is left out.
            why = f"these rules cannot read it: {error}"
            return recorded[:begins], (Wrong(each.version, why), begins in ours)
    return recorded, None


def _head(stored: Stored) -> Head[Fields] | None:
    """The head of the batch that an entry begins, if it does and can be read."""
    try:
        return _decode_loose(stored.public).batch
    except (ValueError, RecursionError):
        return None


if __name__ == "__main__":
    main(sys.stdin.buffer, sys.stdout.buffer)
