"""The REST API: thin handlers, authentication, problem details and streams."""
