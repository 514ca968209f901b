"""Runs last (conftest): by then every kernel has been used in every way the suite knows."""

from waypost.kernels import compiling


def test_every_kernel_was_compiled_for_exactly_one_signature(request):
    files = {item.path.name for item in request.session.items}
    whole_run = {"test_contract.py", "test_dynamic_control.py"} <= files  # of all that use planners, and of kernels
    for kernel in compiling.ENTRY_POINTS:
        count = len(kernel.signatures)
        assert count <= 1, f"{kernel.__name__} was compiled for {kernel.signatures}"
        assert count == 1 or not whole_run, f"{kernel.__name__} was never used"
