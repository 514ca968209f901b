"""All that depends on interfaces of Numba that are private to it; with a version not named here none of it is used.

Kernels are compiled from parts: helpers are translated once and go into every kernel that calls them, where all is
optimised together. Numba by itself optimises each helper and each chain of helpers again, and makes machine code of
all of them that nobody calls. Finished kernels are kept without what only a further compilation would need.
"""

import functools
import hashlib
import logging
import pickle  # the one place: entries whose digests were checked (decision 0012)
from collections.abc import Callable
from typing import Any

import llvmlite.binding as llvm
import numba
import numpy as np
from numba.core import cgutils, codegen, compiler, serialize, targetconfig
from numba.core.caching import _Cache
from numba.core.registry import CPUDispatcher
from numba.core.runtime import _nrt_python

from waypost.machine_code import shipped, switches
from waypost.machine_code.sources import kernel_digest
from waypost.machine_code.store import Store

__all__ = ["IS_KNOWN", "Code", "Door", "Part", "call", "entry_name"]

KNOWN_VERSIONS = ("0.68.",)
IS_KNOWN = numba.__version__.startswith(KNOWN_VERSIONS)
"""Whether this version of Numba was tried; if not, its public interface must do."""
_FORMAT = 2  # raised when entries, or the way in which kernels are compiled, change
_LOG = logging.getLogger("waypost")


class _NoEnvironment:
    """In place of what code generation does for code that is run: parts never are."""

    def set_env(self, *_: Any) -> None:
        """Environments of parts are those of the kernel that they go into."""


class _PartLibrary(codegen.JITCodeLibrary):  # type: ignore[misc]  # Numba has no types
    """Code that only goes into other code: not optimised by itself, and never loaded."""

    codegen = property(lambda _: _NoEnvironment())

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._verify_declare_only_symbols()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:  # noqa: ARG002 - as Numba calls it
        return 0


class _DoorLibrary(codegen.JITCodeLibrary):  # type: ignore[misc]
    """Code that Python calls. Its parts are its own: another kernel may have one of the same name, but other code."""

    def _optimize_final_module(self) -> None:
        for function in self._final_module.functions:
            if not function.is_declaration and function.linkage == llvm.Linkage.linkonce_odr:
                function.linkage = "internal"
        super()._optimize_final_module()


class _PartCompiler(compiler.Compiler):  # type: ignore[misc]
    library = _PartLibrary

    def define_pipelines(self) -> Any:
        # What functions of NumPy are compiled with, so that it is done once: as where they call each other.
        flags = targetconfig.ConfigStack().top()
        flags.release_gil = flags.no_cfunc_wrapper = False
        flags.no_cpython_wrapper = True
        flags.forceinline = False
        target = self.state.targetctx
        self.state.library = self.library(target.codegen(), self.state.func_id.func_qualname)
        self.state.library.enable_object_caching()
        return super().define_pipelines()


class _DoorCompiler(_PartCompiler):
    library = _DoorLibrary


class Code:
    """The machine code of a set of sources: what was shipped, and what was compiled on this machine."""

    def __init__(self, sources: str, store: Store) -> None:
        self.sources = sources
        self.store = store

    def source_of(self, kernel: str, signature: Any) -> str | None:
        """Where the code of a kernel would come from: "shipped", "cached", or None if it must be compiled."""
        pack = shipped.find_pack(self.sources)
        if isinstance(pack, shipped.Pack) and pack.has(kernel, str(signature)):
            return "shipped"
        return "cached" if self.store.has(entry_name(kernel, signature)) else None

    def read(self, kernel: str, signature: Any) -> bytes | None:
        """The entry of a kernel."""
        pack = shipped.find_pack(self.sources)
        found = pack.read(kernel, str(signature)) if isinstance(pack, shipped.Pack) else None
        return found or self.store.read(entry_name(kernel, signature))


def entry_name(kernel: str, signature: Any) -> str:
    """The name of a file: by the kernel, and by all that its code depends on."""
    processor = numba.core.registry.cpu_target.target_context.codegen().magic_tuple()
    key = repr((_FORMAT, kernel, kernel_digest(kernel), str(signature), switches.platform_tag(), processor))
    return f"{kernel}-{hashlib.sha256(key.encode()).hexdigest()[:16]}.code"


class _CodeCache(_Cache):  # type: ignore[misc]
    """What a dispatcher asks before it compiles, and tells afterwards."""

    def __init__(self, kernel: str, code: Code) -> None:
        self._kernel = kernel
        self._code = code

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        data = self._code.read(self._kernel, sig)
        if data is None:
            return None
        try:
            return _rebuilt(data, target_context)
        except Exception as error:  # whatever is wrong with it: the kernel can be compiled
            _LOG.warning("the machine code of %s cannot be used and is compiled again: %s", self._kernel, error)
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        for environment in data._find_referenced_environments():
            data.codegen.set_env(environment.env_name, environment)
        self._code.store.write(entry_name(self._kernel, sig), _reduced(data))

    cache_path = property(lambda self: self._code.store.folder_name)

    def enable(self) -> None:
        """As Numba asks for; it is always on."""

    disable = flush = enable


def _reduced(result: Any) -> bytes:
    """A compiled function as bytes, without what only a further compilation needs."""
    library, function, environment, signature, objectmode, lifted, _, reload, environments = result._reduce()
    name, kind, (code, _) = library
    # Constants are what is read of an environment at run time; one without any would only import its module.
    kept = tuple(each for each in environments if each.consts)
    library = (name, kind, (code, _no_bitcode()))
    return bytes(serialize.dumps((library, function, environment, signature, objectmode, lifted, "", reload, kept)))


def _rebuilt(data: bytes, target_context: Any) -> Any:
    """A compiled function from its bytes, whose digest was checked."""
    stored = pickle.loads(data)  # noqa: S301
    # All of target_context.refresh() that finished code needs are these symbols; Numba calls it before it compiles.
    _add_runtime_symbols()
    # Without bitcode Numba does not know what object code defines; it only asks for these.
    function, engine = stored[1], target_context.codegen()._engine
    engine._defined_symbols |= {function.llvm_func_name, function.llvm_cpython_wrapper_name}
    return compiler.CompileResult._rebuild(target_context, *stored)


@functools.cache
def _no_bitcode() -> bytes:
    return bytes(llvm.parse_assembly("").as_bitcode())


@functools.cache
def _add_runtime_symbols() -> None:
    """What the start of Numba's runtime does, less compiling functions of its own that entries contain already."""
    for name, address in _nrt_python.c_helpers.items():
        llvm.add_symbol(name if name.startswith("_") else f"NRT_{name}", address)


class _PartDispatcher(CPUDispatcher):  # type: ignore[misc]
    """Compiles a part once for all numbers: Numba would do it again where a call names one."""

    def get_call_template(self, args: Any, kws: Any) -> Any:
        plain = tuple(numba.types.unliteral(each) for each in args)
        return super().get_call_template(plain, {name: numba.types.unliteral(each) for name, each in kws.items()})


class Part:
    """A function for other compiled code. Nothing is made of it before something is compiled that calls it."""

    def __init__(self, function: Callable[..., Any], code: Code | None, options: dict[str, bool]) -> None:
        functools.update_wrapper(self, function)
        self.py_func = function
        self._code = code
        self._options = options

    @property
    def _numba_type_(self) -> Any:
        """What Numba takes it for where compiled code names it."""
        return self._inner._numba_type_

    @functools.cached_property
    def _inner(self) -> Any:
        options = self._options | {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
        return _PartDispatcher(self.py_func, {}, _all_options(options), _PartCompiler)

    @functools.cached_property
    def _door(self) -> Any:
        return Door(self.py_func, self._code, self._options)

    def __call__(self, *arguments: Any) -> Any:
        """Call it from Python, as tests do: compiled by itself, with a door."""
        return self._door(*arguments)

    def inspect_llvm(self) -> Any:
        """Its code as Python calls it, by signature."""
        return self._door.inspect_llvm()


class Door(CPUDispatcher):  # type: ignore[misc]
    """A function that Python calls. Other compiled code that calls it takes it as a part."""

    def __init__(self, function: Callable[..., Any], code: Code | None, options: dict[str, bool]) -> None:
        super().__init__(function, {}, _all_options(options | {"no_cfunc_wrapper": True}), _DoorCompiler)
        self._part = Part(function, code, options)
        self._addresses: dict[Any, int] = {}
        if code is not None:
            self._cache = _CodeCache(f"{function.__module__}.{function.__qualname__}", code)

    @property
    def _numba_type_(self) -> Any:
        return self._part._numba_type_

    def address_for(self, *arguments: Any) -> int:
        """Where its machine code for such arguments lies; compiled now if it is not yet."""
        kinds = _kind(arguments)
        if kinds not in self._addresses:  # to ask Numba for the type of a record takes 100 us
            signature = tuple(map(self.typeof_pyval, arguments))
            self.compile(signature)
            found = self.overloads[signature]
            self._addresses[kinds] = int(found.library.get_pointer_to_function(found.fndesc.llvm_func_name))
        return self._addresses[kinds]


def _kind(value: Any) -> Any:
    """What is the same of two values only if Numba takes them for one type."""
    if isinstance(value, np.ndarray):
        return value.dtype, value.ndim, value.flags.num
    if isinstance(value, tuple):
        return type(value), *map(_kind, value)
    return type(value)


@numba.extending.intrinsic  # type: ignore[untyped-decorator]
def call(typing: Any, kernel: Any, address: Any, result: Any, arguments: Any) -> Any:  # noqa: ARG001
    """In compiled code: call a finished kernel by its address, with a tuple of arguments; nothing of it is compiled.

    `result` is an example of what it returns. Types must be those for which the address was asked for.
    """
    plain = [numba.types.unliteral(each) for each in (address, result, numba.types.Tuple(arguments.types))]
    returned, given = plain[1], [numba.types.unliteral(each) for each in arguments.types]

    def generate(context: Any, builder: Any, _: Any, values: Any) -> Any:
        convention = context.call_conv
        there = builder.inttoptr(values[1], convention.get_function_type(returned, given).as_pointer())
        packed = cgutils.unpack_tuple(builder, values[3])
        status, found = convention.call_function(builder, there, returned, given, packed)
        with cgutils.if_unlikely(builder, status.is_error):
            convention.return_status_propagate(builder, status)
        return found

    return returned(kernel, *plain[:2], numba.types.Tuple(given)), generate


def _all_options(options: dict[str, bool]) -> dict[str, Any]:
    return {"nopython": True, "nogil": True, "boundscheck": None} | options
