"""What each viewer may see: redaction, views, histories and standings."""
