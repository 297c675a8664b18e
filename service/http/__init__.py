"""The HTTP layer under the API: connections, requests, replies, problems, limits."""
