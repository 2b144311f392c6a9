# SPDX-License-Identifier: LGPL-2.1-or-later
"""The plugin adds less than 50 ms to a registry scan, and the scan does not call the CUDA driver.

usage: scan_test.py PLUGIN_FOLDER EMULATED_DRIVER. The emulated driver is loaded into every process,
to count the calls.
"""
import os
import subprocess
import sys
import tempfile
import time

LIMIT = 0.050
RUNS = 9


def environment(folder, plugins):
    return {**os.environ, "GST_REGISTRY": os.path.join(folder, "registry.bin"),
            "GST_PLUGIN_SYSTEM_PATH": "", "GST_PLUGIN_PATH": plugins, "GST_REGISTRY_FORK": "no"}


def inspect(env, *arguments):
    return subprocess.run(["gst-inspect-1.0", *arguments], check=True, timeout=60, text=True,
                          stdout=subprocess.PIPE, env=env).stdout


def scan_seconds(folder, plugins):
    """The shortest time of several scans, each with a new registry."""
    env, best = environment(folder, plugins), float("inf")
    for _ in range(RUNS):
        if os.path.exists(env["GST_REGISTRY"]):
            os.remove(env["GST_REGISTRY"])
        start = time.monotonic()
        inspect(env)
        best = min(best, time.monotonic() - start)
    return best


def driver_calls(folder, plugins, emulation, *arguments):
    counts = os.path.join(folder, "counts")
    env = environment(folder, plugins)
    listed = inspect({**env, "LD_PRELOAD": emulation, "EMULATED_GPU_SUMMARY": counts}, *arguments)
    if "mosaictemporal" not in listed:
        sys.exit("the plugin was not found: " + listed)
    with open(counts, encoding="ascii") as file:
        calls = [field for field in file.read().split() if field.startswith("calls=")]
    os.remove(counts)
    return int(calls[0].removeprefix("calls="))


def main():
    plugins, emulation = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        empty = os.path.join(folder, "empty")
        os.mkdir(empty)
        for arguments in ((), ("mosaictemporal",)):
            calls = driver_calls(folder, plugins, emulation, *arguments)
            if calls:
                sys.exit(f"gst-inspect-1.0 {' '.join(arguments)}: {calls} calls of the driver")
        without, with_it = scan_seconds(folder, empty), scan_seconds(folder, plugins)
        print(f"a scan takes {without * 1e3:.1f} ms, with the plugin {with_it * 1e3:.1f} ms")
        if with_it - without >= LIMIT:
            sys.exit(f"the plugin adds {(with_it - without) * 1e3:.1f} ms")


main()
