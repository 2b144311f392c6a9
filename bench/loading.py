# SPDX-License-Identifier: LGPL-2.1-or-later
"""Measures how long photos of 12 megapixels take to load.

usage: loading.py PHOTOS WORK [OTHER]

Makes photos of 4000x3000 and 3000x4000 pixels out of PHOTOS in the folder WORK, with noise as a
camera's, and loads them with an empty cache; after a load that was killed in the middle; after one photo
was touched; and from the cache. OTHER is the folder of another build of the plugin and its decoder, which is
measured in turns with that of GST_PLUGIN_PATH. The median of three counts.
"""
import multiprocessing
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import time

import numpy as np
import PIL.Image

from page import table

COUNT, REPEATS = 120, 3
SIZES = ((4000, 3000), (3000, 4000))


def make(photo, path, seed):
    random = np.random.default_rng(seed)
    with PIL.Image.open(photo) as image:
        large = image.convert("RGB").resize(SIZES[seed % 2], PIL.Image.BICUBIC)
    pixels = np.asarray(large, np.int16)
    noise = random.normal(0, 6, (*pixels.shape[:2], 1)).astype(np.int16)
    PIL.Image.fromarray(np.clip(pixels + noise, 0, 255).astype(np.uint8)).save(path, quality=88)


def make_all(photos, folder):
    if folder.is_dir():
        return
    unfinished = folder.with_name(folder.name + ".part")
    shutil.rmtree(unfinished, ignore_errors=True)
    unfinished.mkdir(parents=True)
    with multiprocessing.Pool() as pool:
        pool.starmap(make, [(photos[i % len(photos)], unfinished / f"{i:04}.jpg", i) for i in range(COUNT)])
    unfinished.rename(folder)


class Loads:
    def __init__(self, plugin, folder, work, number):
        self.cache = work / f"cache-{number}"
        self.command = [
            "gst-launch-1.0", "-m", "videotestsrc", "num-buffers=1", "!", "video/x-raw,format=RGB,width=1280,height=720",
            "!", "mosaictemporal", f"tile-location={folder}", f"cache-location={self.cache}", "tile-size=40",
            "!", "fakesink"]
        self.environment = dict(os.environ, GST_PLUGIN_PATH=str(plugin),
                                MOSAICTEMPORAL_DECODER=f"{plugin}/mosaictemporal-decoder",
                                GST_REGISTRY=str(work / f"registry-{number}.bin"))

    def empty_cache(self):
        shutil.rmtree(self.cache, ignore_errors=True)

    def load(self):
        """@return seconds"""
        start = time.monotonic()
        subprocess.run(self.command, env=self.environment, check=True, stdout=subprocess.DEVNULL)
        return time.monotonic() - start

    def load_half(self):
        """Kills a load when it says that half of the photos are prepared."""
        with subprocess.Popen(self.command, env=self.environment, text=True, stdout=subprocess.PIPE) as process:
            for line in process.stdout:
                percent = re.search(r"Preparing tiles: (\d+) %", line)
                if percent and int(percent[1]) >= 50:
                    break
            process.kill()

    def measure(self, touched):
        self.empty_cache()
        cold = self.load()
        cached = self.load()
        os.utime(touched)
        one = self.load()
        self.empty_cache()
        self.load_half()
        return {"with an empty cache": cold, "after a kill at a half": self.load(),
                "after one photo changed": one, "from the cache": cached}


def main():
    photos = sorted(path for path in pathlib.Path(sys.argv[1]).iterdir() if path.is_file())
    work = pathlib.Path(sys.argv[2]) / "loading"
    folder = work / "photos"
    make_all(photos, folder)
    plugins = [os.environ["GST_PLUGIN_PATH"].split(":")[0], *sys.argv[3:]]
    builds = [Loads(plugin, folder, work, i) for i, plugin in enumerate(plugins)]
    for build in builds:
        build.load()  # the registry, and the files into memory
    runs = [[build.measure(folder / "0042.jpg") for build in builds] for _ in range(REPEATS)]
    rows = []
    for i in range(len(builds)):
        medians = {load: statistics.median(run[i][load] for run in runs) for load in runs[0][i]}
        for load, seconds in medians.items():
            each = (seconds - medians["from the cache"]) / COUNT
            rows.append(((f"{plugins[i]}: " if len(builds) > 1 else "") + load, f"{seconds:.2f}", f"{1000 * each:.1f}"))
    print(table(("load", "s", "ms a photo above the cache"), rows))


if __name__ == "__main__":
    main()
