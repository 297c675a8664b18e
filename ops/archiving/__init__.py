"""What ``ops.rules_archive`` does: what belongs into an archive of rules, and whether it agrees."""
