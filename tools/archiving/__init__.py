"""What ``tools.rules_archive`` does: what belongs into an archive of rules, and if it agrees."""
