import numba
import pytest

from waypost.machine_code import switches


@pytest.fixture(autouse=True)
def by_default(monkeypatch):
    for name, value in {"BOUNDSCHECK": None, "DISABLE_JIT": 0, "OPT": 3, "DEBUGINFO_DEFAULT": 0}.items():
        monkeypatch.setattr(numba.config, name, value)


def test_by_default_nothing_is_changed():
    assert switches.changed_settings() == []
    assert switches.settings_suffix() == ""


@pytest.mark.parametrize(("name", "value"), [("BOUNDSCHECK", 1), ("OPT", 0), ("DEBUGINFO_DEFAULT", 1), ("OPT", 2)])
def test_settings_that_change_code_have_folders_of_their_own(name, value, monkeypatch):
    monkeypatch.setattr(numba.config, name, value)
    assert switches.changed_settings() == [f"NUMBA_{name}={value}"]
    one = switches.settings_suffix()
    assert one.startswith("-")
    monkeypatch.setattr(numba.config, "ENABLE_AVX", 0)
    assert switches.settings_suffix() not in ("", one)


def test_a_named_processor(monkeypatch):
    monkeypatch.setattr(numba.config, "CPU_NAME", None)
    monkeypatch.setattr(numba.config, "CPU_FEATURES", None)
    assert switches.named_processor() is None
    monkeypatch.setattr(numba.config, "CPU_FEATURES", "")
    assert switches.named_processor() == "NUMBA_CPU_FEATURES"


def test_levels_by_what_the_processor_has(monkeypatch):
    has = dict.fromkeys(switches.LEVELS["x86-64-v2"], True)
    monkeypatch.setattr("llvmlite.binding.get_host_cpu_features", lambda: has)
    switches.usable_levels.cache_clear()
    assert switches.usable_levels() == ["x86-64-v2", "generic"]
    has |= dict.fromkeys(switches.LEVELS["x86-64-v3"], True)
    switches.usable_levels.cache_clear()
    assert switches.usable_levels() == ["x86-64-v3", "x86-64-v2", "generic"]
    has.clear()
    switches.usable_levels.cache_clear()
    assert switches.usable_levels() == ["generic"]
    switches.usable_levels.cache_clear()
