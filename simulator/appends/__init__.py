"""The append contract under faults: a model of the store, virtual time, and runs by seed."""
