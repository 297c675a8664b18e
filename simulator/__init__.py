"""Random games, oracles, floods and faults: what proves the rest; only tests and tools use it."""
