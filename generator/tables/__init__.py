"""The tables of `data/` that people edit: text and path in, typed objects and problems out, nothing else touched."""
