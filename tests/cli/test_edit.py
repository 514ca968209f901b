"""`waypost edit`."""

import pytest

import waypost as wp


def test_edit(waypost, tmp_path):
    out, record = tmp_path / "out.map", tmp_path / "edits.script"
    grid = wp.load_map("rooms")
    x, y = grid.xys((grid.component != 0).nonzero()[0].astype("int32"))[0].tolist()
    arguments = ("--close", f"{x},{y}", "--close", "30,30,3x2", "--open", "30,30", "--record", record)
    status, said, _ = waypost("edit", "rooms", "--out", out, *arguments, "--draw", tmp_path / "out.png")
    assert status == 0
    edited = wp.load_map(out)
    wanted = grid.is_open.copy()
    wanted[y, x] = wanted[30:32, 30:33] = False
    wanted[30, 30] = True
    assert (edited.is_open == wanted).all()
    changed = (wanted != grid.is_open).sum()
    assert f"version 1, {changed} cells changed now, {edited.open_count:,} open in" in said
    assert (tmp_path / "out.png").exists()
    status, said, _ = waypost("edit", "rooms", "--out", tmp_path / "again.map", "--script", record)
    assert status == 0
    assert "0 cells changed now" in said
    assert wp.load_map(tmp_path / "again.map").fingerprint == edited.fingerprint


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("--close", "a"), "--close must be two whole numbers X,Y"),
        (("--close", "1,2,0x3"), "a rectangle X,Y,WxH"),
        (("--open", "1,2,ax3"), "--open must be two whole numbers WxH"),
        (("--open", "9999,2"), "is outside the map"),
        (("--close", "0,0,9999x1"), "is outside the map"),
        (("--script", "nowhere.script"), "nowhere.script"),
        (("--close", "0,0,99x69"), "no open cell"),
    ],
)
def test_odd_edits(waypost, tmp_path, arguments, complaint):
    status, _, said = waypost("edit", "rooms", "--out", tmp_path / "out.map", *arguments)
    assert status == 2
    assert complaint in said
    assert not (tmp_path / "out.map").exists()
