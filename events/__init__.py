"""The log: kernel, codec, streams, timers; it knows no game."""
