# SPDX-License-Identifier: LGPL-2.1-or-later
"""Runs a Python script in a virtual environment of its own, created at the first call.

usage: in_venv.py REQUIREMENTS SCRIPT [ARGUMENT...]

The environment is in .cache/venv/ under a hash of the requirements, so it is created anew when they
change. Exits with status 3 if it cannot be created. The requirements are complete and pinned: pip
resolves no dependencies.
"""
import fcntl
import hashlib
import os
import pathlib
import shutil
import subprocess
import sys


def environment(requirements):
    """The interpreter of an environment with the packages that the file requires."""
    root = pathlib.Path(__file__).resolve().parents[2] / ".cache" / "venv"
    root.mkdir(parents=True, exist_ok=True)
    asked = requirements.read_bytes() + sys.version.encode()
    path = root / f"{requirements.parent.name}-{hashlib.sha256(asked).hexdigest()[:12]}"
    python = path / "bin" / "python"
    with open(f"{path}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if (path / "complete").exists():
            return python
        shutil.rmtree(path, ignore_errors=True)
        for command in ([sys.executable, "-m", "venv", str(path)],
                        [str(python), "-m", "pip", "install", "--quiet", "--no-deps",
                         "--disable-pip-version-check", "-r", str(requirements)]):
            done = subprocess.run(command, capture_output=True, text=True)
            if done.returncode:
                lines = (done.stderr or done.stdout).strip().splitlines()
                print(f"{requirements}: cannot be installed (no network? python3-venv missing?): "
                      f"{lines[-1] if lines else 'no message'}", file=sys.stderr)
                sys.exit(3)
        (path / "complete").touch()
    return python


if __name__ == "__main__":
    interpreter = environment(pathlib.Path(sys.argv[1]))
    os.execv(interpreter, [str(interpreter), *sys.argv[2:]])
