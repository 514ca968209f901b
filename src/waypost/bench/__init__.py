"""Benchmarks: suites in TOML, resumable runs, results in Parquet, summaries, Pareto fronts and plots."""
