"""Machine code of kernels: where it is kept, what came with the package, and all that is private to Numba."""
