"""What maintainers run: the table of kernels, platform wheels."""
