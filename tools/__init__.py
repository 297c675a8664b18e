"""What writes and checks files: documents, vectors, golden records, archives, mutants."""
