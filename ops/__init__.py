"""What an operator runs: the command line, the supervisor, backups, the demo."""
