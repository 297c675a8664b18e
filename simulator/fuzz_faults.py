"""The faults' part of ``make fuzz``: a whole service in use, in which one part after another fails.

Players play all the time. After each fault everything must go on; nothing that was acknowledged may
be lost, nothing doubled, and the whole store is verified. A seed says which faults come when; what
the players then do also hangs on what they are answered.
"""

from __future__ import annotations

import argparse
import random
import secrets
import signal
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from runtime.embedded.children import ChildError
from runtime.embedded.store import StoreError
from simulator.faults.checks import FaultDamage, all_holds, goes_on, wait_for
from simulator.faults.kinds import KINDS, Plant
from simulator.faults.load import PLAYERS, PlayingLoad
from simulator.faults.rig import BreakableService

FAULTS: Final = 200
"""How many faults a whole run plants."""

_BETWEEN_S: Final = 1.0
_TOGETHER: Final = 5
_STARTED: Final = 20


def plant(
    rig: BreakableService, plants: Sequence[tuple[str, Plant]], seed: int, players: int = PLAYERS
) -> int:
    """Plant faults one after another under load, then check everything; the number of commands.

    Raises:
        FaultDamage: something does not hold.
    """
    chance = random.Random(seed)  # noqa: S311 (a seed that can be given again)
    load = PlayingLoad(rig.url, rig.settings.key_ring(), seed, players)
    load.start()
    try:
        wait_for("the players play", lambda: len(load.acks) > _STARTED)
        for name, each in plants:
            time.sleep(chance.random() * _BETWEEN_S)
            print(f"{name}: {each(rig, chance)}", flush=True)
            goes_on(rig)
            more = len(load.acks) + 2
            wait_for("the players play on", lambda: len(load.acks) > more)  # noqa: B023 (called here)
    finally:
        load.stop()
    if load.odd:
        raise FaultDamage(f"players met what they could not make sense of: {load.odd}")
    events = all_holds(rig, load.acks, load.history)
    print(f"  {len(load.acks)} commands acknowledged, {events} events, all there once", flush=True)
    return len(load.acks)


def fuzz(count: int, seed: int, *, only: str | None = None, mounts: bool = True) -> int:
    """Plant ``count`` faults, each kind about as often; 0 if all held."""
    chance = random.Random(seed)  # noqa: S311 (as above)
    names = [name for name in KINDS if only is None or only in name]
    done = 0
    while done < count:
        few = [chance.choice(names) for _ in range(min(_TOGETHER, count - done))]
        round_seed = chance.getrandbits(32)
        with (
            tempfile.TemporaryDirectory(prefix="plr-", ignore_cleanup_errors=True) as folder,
            BreakableService(Path(folder), mounts=mounts) as rig,
        ):
            if not done:
                how = "a disk of its own" if rig.disk.is_mounted else "a limit of the file's size"
                print(f"seed {seed}; a full disk is {how}", flush=True)
            try:
                plant(rig, [(name, KINDS[name]) for name in few], round_seed)
            except (FaultDamage, ChildError, StoreError) as error:
                print(f"BROKEN by seed {seed} after {few}: {error}", file=sys.stderr)
                print(rig.logs(), file=sys.stderr)
                return 1
        done += len(few)
    print(f"{done} faults, nothing lost, nothing doubled")
    return 0


def main(argv: Sequence[str] | None = None) -> int:
    """Run; 0 if nothing was found."""
    parser = argparse.ArgumentParser(prog="python -m simulator.fuzz_faults", description=__doc__)
    parser.add_argument("--faults", type=int, default=FAULTS, help="default: %(default)s")
    parser.add_argument("--seed", type=int, help="by default a new one each time; it is printed")
    parser.add_argument("--only", metavar="WORDS", help="kinds whose name has these words")
    parser.add_argument("--no-mount", action="store_true", help="limit the file's size instead")
    said = parser.parse_args(argv)
    seed = secrets.randbits(32) if said.seed is None else said.seed
    return fuzz(said.faults, seed, only=said.only, mounts=not said.no_mount)


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # or the small disk would stay mounted
    sys.exit(main())
