"""Faults planted in a whole service that is in use, and what must hold after each of them."""
