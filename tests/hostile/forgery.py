"""Arrays of an index made wrong, in ways that look right: of their names and mostly of their types and sizes."""

import numpy as np

from waypost.indexes.base import smallest


def forge(random, arrays, of_another):
    """Change one to three arrays, or take all of another index; returns them, and what was done."""
    if random.random() < 0.05:
        return dict(of_another), "all of another index"
    forged, done = dict(arrays), []
    count = min(random.choice([1, 1, 1, 2, 3]), len(arrays))
    for name in random.choice(sorted(arrays), size=count, replace=False).tolist():
        ways = QUIET if random.random() < 0.7 else LOUD
        way = ways[random.integers(len(ways))]
        changed = way(random, forged[name].copy(), of_another[name])
        if changed.dtype.kind == "u" and random.random() < 0.9:
            changed = smallest(changed)  # otherwise most are refused for their types
        forged[name] = np.ascontiguousarray(changed)
        done.append(f"{name}{way.__name__.replace('_', ' ')}")
    return forged, ", ".join(done)


def _rolled(random, array, _):
    return np.roll(array, random.integers(1, max(array.shape[0], 2)) if array.ndim else 0, axis=0)


def _reversed(_, array, __):
    return array[::-1]


def _shuffled(random, array, _):
    return random.permutation(array)


def _swapped(random, array, _):
    flat = array.reshape(-1)
    if flat.size:
        here, there = random.integers(flat.size, size=2)
        flat[here], flat[there] = flat[there], flat[here]
    return array


def _neighbours_swapped(random, array, _):
    if array.shape[0] > 1:
        for here in random.integers(array.shape[0] - 1, size=random.choice([1, 1, 5])):
            array[[here, here + 1]] = array[[here + 1, here]]
    return array


def _swapped_often(random, array, _):
    for _ in range(5):
        _swapped(random, array, None)
    return array


def _one_copied(random, array, _):
    flat = array.reshape(-1)
    if flat.size:
        flat[random.integers(flat.size)] = flat[random.integers(flat.size)]
    return array


def _drawn_anew(random, array, _):
    """Values that occur, in any order and as often as it comes."""
    return random.choice(array.reshape(-1), size=array.shape) if array.size else array


def _zeroed(_, array, __):
    return np.zeros_like(array)


def _set_to_one_value(random, array, _):
    if array.size:
        array[:] = random.choice(array.reshape(-1))
    return array


def _raised_by_1(_, array, __):
    return array + array.dtype.type(1)


def _lowered_by_1(_, array, __):
    return array - array.dtype.type(1)


def _extreme_in_one_place(random, array, _):
    if array.size:
        array.reshape(-1)[random.integers(array.size)] = _extreme(random, array.dtype)
    return array


def _extreme(random, dtype):
    if dtype.kind == "f":
        return random.choice([np.nan, np.inf, -np.inf, np.finfo(dtype).max, np.finfo(dtype).tiny])
    limits = np.iinfo(dtype)
    return random.choice([limits.min, limits.max, limits.max - 1, limits.min + 1])


def _extreme_everywhere(random, array, _):
    return np.full_like(array, _extreme(random, array.dtype))


def _garbage(random, array, _):
    return random.integers(0, 256, array.nbytes, np.uint8).view(array.dtype).reshape(array.shape)


def _garbage_within(random, array, _):
    """Values between those that occur."""
    if array.dtype.kind == "f" or not array.size:
        return array
    return random.integers(int(array.min()), int(array.max()) + 1, array.shape).astype(array.dtype)


def _sorted(_, array, __):
    return np.sort(array, axis=0)


def _shortened(random, array, _):
    return array[: random.integers(array.shape[0] + 1)]


def _lengthened(random, array, _):
    if not array.size:
        return np.zeros((1, *array.shape[1:]), array.dtype)
    return np.concatenate([array, array[: random.integers(1, array.shape[0] + 1)]])


def _of_another_index(_, __, other):
    return other


QUIET = (
    _rolled, _reversed, _shuffled, _swapped, _neighbours_swapped, _swapped_often, _one_copied, _drawn_anew, _zeroed,
    _set_to_one_value,
)  # fmt: skip
LOUD = (
    _raised_by_1, _lowered_by_1, _extreme_in_one_place, _extreme_everywhere, _garbage, _garbage_within, _sorted,
    _shortened, _lengthened, _of_another_index,
)  # fmt: skip
"""Ways that leave values as they were, and ways that mostly do not, and are refused."""
