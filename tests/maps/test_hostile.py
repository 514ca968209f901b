"""Files made to do harm: each is refused in one sentence, with little memory, and exit 2 from the command line."""

import os
import subprocess
import sys
import tracemalloc

import numpy as np
import pytest

import waypost as wp
from tests.support.hostile_files import FILES, GOOD_PNG, LAUGHS, LAYER, ROS, WHITE, npy, npy_header, saved_bytes
from tests.support.pictures import pgm
from tests.support.tiled_files import json_layer, json_map, json_tileset, packed, tmx, tsx

MOST_BYTES = 4_000_000


@pytest.fixture
def folder(tmp_path):
    """A folder with things around it that maps may try to reach."""
    folder = tmp_path / "maps"
    (folder / "folder").mkdir(parents=True)
    (tmp_path / "outside.pgm").write_bytes(pgm(WHITE))
    (tmp_path / "outside.tsx").write_text(tsx())
    (tmp_path / "outside.tx").write_text("<template/>")
    (folder / "link.pgm").symlink_to(tmp_path / "outside.pgm")
    (folder / "up").symlink_to(tmp_path)
    (folder / "laughs.tsx").write_text(LAUGHS + tsx("&i;"))
    (folder / "bare.tsx").write_text("<tileset/>")
    (folder / "good.png").write_bytes(GOOD_PNG)
    (folder / "folder" / "inner.tx").write_text(f"<template>{tsx(source='../../outside.tsx')}<object/></template>")
    os.mkfifo(folder / "pipe")
    return folder


def write(folder, name, content):
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


@pytest.mark.parametrize(("name", "content", "complaint"), FILES.values(), ids=FILES)
def test_hostile_files(folder, refused, name, content, complaint):
    path = write(folder, name, content)
    tracemalloc.start()
    try:
        with pytest.raises(wp.WaypostError, match=complaint) as refusal:
            wp.load_map(path)
        # Text is decoded, and may become objects of a few times its size; nothing grows beyond that.
        assert tracemalloc.get_traced_memory()[1] < MOST_BYTES + 12 * len(content)
    finally:
        tracemalloc.stop()
    assert "\n" not in str(refusal.value)
    assert len(str(refusal.value)) < 600
    assert str(refusal.value) in refused("info", path)


def test_decoders_take_little_memory(folder):
    """Pillow's memory is not Python's, so it is measured as that of a process."""
    paths = [
        str(write(folder, f"{i}{name}", content))
        for i, (name, content, _) in enumerate(FILES.values())
        if name.endswith((".png", ".pgm"))
    ]
    script = (
        "import resource, sys, waypost as wp\n"
        "import PIL.Image, PIL.PngImagePlugin, PIL.PpmImagePlugin\n"
        "wp.load_map(sys.argv[1])\n"
        "before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "for path in sys.argv[2:]:\n"
        "    try: wp.load_map(path)\n"
        "    except wp.WaypostError: pass\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)\n"
    )
    command = [sys.executable, "-c", script, str(folder / "good.png"), *paths]
    grown = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    assert int(grown) < 40_000, "kilobytes"


def test_files_that_only_pretend_to_be_large(tmp_path):
    for name, most in (("a.png", "PNG or PGM image"), ("a.tmx", "Tiled file"), ("a.yaml", "ROS map file")):
        with open(tmp_path / name, "wb") as file:
            file.truncate(1 << 33)
        with pytest.raises(wp.WaypostError, match=f"is too large for a {most}: 8,589,934,592 bytes"):
            wp.load_map(tmp_path / name)


def test_every_truncation_is_refused(folder):
    good = {
        "a.png": GOOD_PNG,
        "a.pgm": pgm(WHITE),
        "a.npy": saved_bytes(np.save, np.ones((3, 4), bool)),
        "a.tmx": tmx(3, 2, LAYER).strip().encode(),
        "a.json": json_map(3, 2, [json_layer("Collision", 3, 2, [0, 1] * 3)], [json_tileset(1)]).encode(),
    }
    for name, whole in good.items():
        assert wp.load_map(write(folder, name, whole)).open_count
        for length in range(0, len(whole), 1 if len(whole) < 300 else 7):
            with pytest.raises(wp.WaypostError) as refusal:
                wp.load_map(write(folder, name, whole[:length]))
            assert "\n" not in str(refusal.value)


@pytest.mark.parametrize("name", ["a.png", "a.pgm", "a.npy", "a.tmx", "a.json", "a.yaml"])
def test_damaged_bytes_are_read_or_refused(folder, name):
    (folder / "b.pgm").write_bytes(pgm(WHITE))
    layer = json_layer("Collision", 3, 2, packed([0, 1] * 3), encoding="base64", compression="zlib")
    whole = {
        "a.png": GOOD_PNG,
        "a.pgm": pgm(WHITE),
        "a.npy": saved_bytes(np.save, np.ones((3, 4), bool)),
        "a.tmx": tmx(3, 2, tsx(first=1) + LAYER).encode(),
        "a.json": json_map(3, 2, [layer], [json_tileset(1)]).encode(),
        "a.yaml": ROS.format("b.pgm").encode(),
    }[name]
    random = np.random.default_rng(5)
    for _ in range(200):
        damaged = bytearray(whole)
        for at in random.integers(len(whole), size=random.integers(1, 4)):
            damaged[at] = random.integers(256)
        try:
            wp.load_map(write(folder, name, bytes(damaged)))
        except wp.WaypostError as refusal:
            assert "\n" not in str(refusal)  # noqa: PT017 - most are refused, but not all


def test_the_good_ones_are_good(folder):
    """What the hostile files are variations of can be read."""
    assert wp.load_map(write(folder, "a.png", GOOD_PNG)).open_count == 20
    write(folder, "b.pgm", pgm(WHITE))
    assert wp.load_map(write(folder, "a.yaml", ROS.format("b.pgm"))).open_count == 20
    assert wp.load_map(write(folder, "a.tmx", tmx(3, 2, tsx(first=1) + LAYER))).open_count == 3
    assert wp.load_map(write(folder, "a.npy", npy(npy_header((2, 2)), b"\1" * 4))).open_count == 4
