"""The tests; a package, so that they find `tests.support` however pytest is started."""
