"""The tests; a package, because a development dependency installs one of the same name."""
