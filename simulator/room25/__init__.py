"""Random games: drivers, properties and oracles, used by the tests and by ``make fuzz``."""
