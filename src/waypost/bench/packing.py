"""Rows of results in few bytes: numbers to as many digits as mean something, in a Parquet file."""

from typing import Any

import numpy as np
import numpy.typing as npt

from waypost.errors import WaypostError
from waypost.system.extras import need

__all__ = ["pack", "unpack"]

pa = need("pyarrow", "results of benchmarks", "bench")
pq = need("pyarrow.parquet", "results of benchmarks", "bench")

_TIME = "_us"  # ends the names of times
_BITS_OF_TIMES = 11  # three digits and a half; a machine varies by more
_MANTISSA = 23


def pack(table: Any) -> bytes:
    """A table with its figures to seven digits, and times to three and a half."""
    small = _with_floats(table, pa.float64(), pa.float32())
    floats = [field.name for field in small.schema if field.type == pa.float32()]
    columns: dict[str, Any] = {
        name: pa.array(_rounded(small.column(name).to_numpy())) if name.endswith(_TIME) and name in floats
        else small.column(name)
        for name in small.column_names
    }  # fmt: skip
    others = [name for name in small.column_names if name not in floats]
    sink = pa.BufferOutputStream()
    pq.write_table(
        pa.table(columns), sink, compression="zstd", compression_level=19,
        use_dictionary=others, use_byte_stream_split=floats,
    )  # fmt: skip
    return bytes(sink.getvalue())


def unpack(content: bytes, whose: str) -> Any:
    """The table of what `pack` has made."""
    try:
        return _with_floats(pq.read_table(pa.py_buffer(content)), pa.float32(), pa.float64())
    except (pa.ArrowException, OSError) as error:
        raise WaypostError(f"rows for {whose} are damaged: {' '.join(str(error).split())[:200]}") from None


def _rounded(values: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """The nearest numbers of fewer bits, whose other bits are 0 and take no room; one that is no number stays one."""
    dropped = _MANTISSA - _BITS_OF_TIMES
    words = values.view(np.uint32)
    near = words + np.uint32(1 << dropped - 1) & ~np.uint32((1 << dropped) - 1)
    return np.where(np.isfinite(values), near.view(np.float32), values)


def _with_floats(table: Any, old: Any, new: Any) -> Any:
    """The same table with columns of one kind of number as another."""
    return table.cast(pa.schema([field.with_type(new) if field.type == old else field for field in table.schema]))
