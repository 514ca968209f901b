"""Run in a clean environment that holds a wheel with machine code: is all of it taken, and nothing compiled?

python -I check_platform_wheel.py [LEVEL]
"""

import sys
from pathlib import Path

import waypost as wp
from waypost import catalog, readiness, rehearsal
from waypost.machine_code import events, shipped
from waypost.preparing.missing import all_kernels, source_of

package = Path(wp.__file__).parent
assert "site-packages" in package.parts, f"imported from {package}, not from the wheel"
assert readiness.why_not_shipped() is None, readiness.why_not_shipped()
if sys.argv[1:]:
    (level,) = sys.argv[1:]
    assert shipped.find_pack(shipped.contents_of().SOURCES).level == level
kernels = all_kernels()
assert {source_of(kernel) for kernel in kernels} == {"shipped"}
for name in catalog.CATALOG:
    rehearsal.rehearse(name)
    rehearsal.rehearse_batches(name)
    rehearsal.rehearse_fleet(name)
    assert events.compilations() == 0, f"{name} compiled something"
print(f"{len(kernels)} kernels came with the wheel; {len(catalog.CATALOG)} planners compiled nothing.")
