import os
import subprocess
import sys

SCRIPT = """
import time
from waypost.system.progress import note, progress
with progress("counting", 4) as advance:
    for _ in range(3):
        advance()
        time.sleep(0.15)
note("a word")
with progress("hidden", 4, show=False) as advance:
    advance(4)
"""


def shown(**environment):
    variables = os.environ | {"COLUMNS": "100"} | environment
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, env=variables)
    assert done.returncode == 0, done.stderr
    assert done.stdout == ""
    return done.stderr


def test_a_bar_on_a_terminal_has_count_rate_and_time_left():
    text = shown(FORCE_COLOR="1", TERM="xterm-256color")
    for words in ("counting", "3/4", "/s", "0:00:0", "a word"):
        assert words in text
    assert "hidden" not in text


def test_elsewhere_only_notes():
    assert shown(TERM="dumb") == "a word\n"
