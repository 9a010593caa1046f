"""Garbage hooks: automatic collection on Python 3.11 can crash a worker, between requests it cannot."""

import os
import subprocess
import sys
import tomllib

from tests.kit.promises import ROOT

HOOKS = """
import gc, weakref
from service import gunicorn_settings as hooks

class Thing: pass

def abandoned():
    thing = Thing()
    thing.itself = thing
    return weakref.ref(thing)

hooks.CONTAINERS = 1000
hooks.post_worker_init(None)
assert not gc.isenabled()
left = abandoned()
hooks.post_request(None, None, None, None)
assert left() is not None, "too little to collect"
kept = [{} for _ in range(1200)]
assert left() is not None, "not during a request"
hooks.post_request(None, None, None, None)
assert left() is None and not gc.isenabled()
"""
COMMAND = """
import atexit, gc
atexit.register(lambda: print(gc.isenabled()))
from service.commands.main import main
main()
"""


def run(script: str, *words: str) -> str:
    command = [sys.executable, "-c", script, *words]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True, env=environment).stdout


def test_worker_collects_garbage_only_between_requests() -> None:
    run(HOOKS)


def test_commands_run_without_automatic_collection() -> None:
    assert run(COMMAND, "--version").splitlines()[-1] == "False"
    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["scripts"]
    assert scripts == {"overseer": "service.commands.main:main"}
