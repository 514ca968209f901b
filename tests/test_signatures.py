"""Runs last (conftest): by then every kernel has been used in every way the suite knows."""

from waypost.kernels import compiling


def test_every_kernel_was_compiled_for_exactly_one_signature(request):
    files = {item.path.relative_to(request.config.rootpath).as_posix() for item in request.session.items}
    of_planners, of_kernels = "tests/test_contract.py", "tests/planners/pairs/kernels/test_walk.py"
    whole_run = {of_planners, of_kernels} <= files
    for kernel in compiling.ENTRY_POINTS:
        count = len(kernel.signatures)
        assert count <= 1, f"{kernel.__name__} was compiled for {kernel.signatures}"
        assert count == 1 or not whole_run, f"{kernel.__name__} was never used"
