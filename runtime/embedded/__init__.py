"""The embedded store, and the processes and files that it needs."""
