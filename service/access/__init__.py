"""Who the caller is, what they may see and do, and how much of it."""
