"""The rules: pure functions from a state and a command to events."""
