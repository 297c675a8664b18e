"""The journal: a copy of every batch outside of the store, from which what it loses comes back."""
