"""The event log: kernel, codec, streams, timers. It knows nothing about any game."""
