"""The people: accounts, tokens, tournaments and ratings, as pure as the rules."""
