"""Scripts behind `make bench-...`: each prints the figures of docs/benchmarks.md and the machine it ran on."""
