"""Mutation testing of the rules of Room 25; ``tools.mutants`` runs it (docs/mutants.md)."""
