"""Adapters: each turns the bytes of one source into raw offers, and knows nothing of the rest."""
