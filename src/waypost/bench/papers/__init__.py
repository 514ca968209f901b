"""Papers: each a description in TOML beside this file, run on suites and reported by one small engine."""
