"""The published contract: bodies, schemas, and the documents generated from them."""
