"""The handlers of the API: one module per resource."""
