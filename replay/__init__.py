"""The replay and audit tool."""
