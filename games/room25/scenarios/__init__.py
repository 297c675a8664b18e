"""What Room 25 brings for scenario files: its checks, its words, and how its checks are judged."""
