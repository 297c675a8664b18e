"""Mutation testing of the rules of Room 25; ``ops.mutants`` runs it (docs/mutants.md)."""
