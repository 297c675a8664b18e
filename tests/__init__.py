"""The tests: they mirror the folders, plus golden, house and e2e."""
