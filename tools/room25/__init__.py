"""What writes and checks the documents of Room 25."""
