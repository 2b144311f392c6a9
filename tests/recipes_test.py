# SPDX-License-Identifier: LGPL-2.1-or-later
"""Runs the commands, pipelines and programs of docs/recipes.md.

usage: recipes_test.py RECIPES FOLDER_OF_PLUGIN PROGRAM

Commands and pipelines are run as those of the README (readme_test.py). Of the pipeline that fills the
cache, and of the programs in Python, it is also checked that they do what the text says.
"""
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

import readme_test
from readme_test import FRAMES, LIMIT_S, launch

WIDTH, HEIGHT = 640, 360  # of clip.mp4
RAW = "video/x-raw,format=I420 ! filesink location="
# In place of Gst.parse_launch: the first frame that reaches the sink is clicked on.
CLICKING = """
def launch_and_click(description):
    def click(pad, _):
        fields = Gst.Structure.from_string(
            "application/x-gst-navigation, event=(string)mouse-button-press, button=(int)1, "
            "pointer_x=(double)100, pointer_y=(double)50")[0]
        pad.push_event(Gst.Event.new_navigation(fields))
        return Gst.PadProbeReturn.REMOVE
    pipeline = Gst.parse_launch(description.replace("autovideosink", "fakesink name=screen"))
    pad = pipeline.get_by_name("screen").get_static_pad("sink")
    pad.add_probe(Gst.PadProbeType.BUFFER, click)
    return pipeline
"""


def smaller(line):
    """The line with sizes that take less time: the clip's, and a quarter of a poster's side."""
    line = line.replace("width=1920,height=1080", f"width={WIDTH},height={HEIGHT}")
    return line.replace("width=7680,height=4320", "width=1920,height=1080")


def cached_pools():
    """What is in the cache: files that were written anew have other inodes."""
    return {(file.name, file.stat().st_ino)
            for file in pathlib.Path(os.environ["XDG_CACHE_HOME"]).glob("*/*.pool")}


def check_preparation(line):
    """Whether a clip of the same size is drawn with the pool that the first recipe left."""
    launch(*shlex.split(smaller(line))[1:])
    prepared = cached_pools()
    if len(prepared) != 1:
        return f"there are {len(prepared)} files in the cache"
    launch(*shlex.split("filesrc location=clip.mp4 ! decodebin ! videoconvert ! mosaictemporal "
                        "profile-name=film tile-location=phot*/*.png ! fakesink"))
    return None if cached_pools() == prepared else "the next start wrote another file"


def run_program(text):
    return subprocess.run([sys.executable, "-c", text], capture_output=True, text=True,
                          timeout=LIMIT_S, stdin=subprocess.DEVNULL)


def difference(a, b):
    return sum(abs(x - y) for x, y in zip(a, b)) / len(a)


def check_fade(program):
    """Whether the first frame is the clip's and the last one is not. Times are a tenth."""
    done = run_program(program.replace("autovideosink", RAW + "fade.yuv")
                       .replace("Gst.SECOND", "Gst.SECOND // 10"))
    if done.returncode:
        return done.stderr
    launch(*f"filesrc location=clip.mp4 ! decodebin ! videoconvert ! {RAW}clip.yuv".split())
    fade, clip = (pathlib.Path(name).read_bytes() for name in ("fade.yuv", "clip.yuv"))
    size = WIDTH * HEIGHT * 3 // 2
    if len(fade) != FRAMES * size or len(clip) != len(fade):
        return f"{len(fade)} bytes of the fade, {len(clip)} of the clip"
    first, last = difference(fade[:size], clip[:size]), difference(fade[-size:], clip[-size:])
    return None if first == 0 and last > 8 else f"differences of {first:.1f} and {last:.1f} levels"


def check_click(program):
    done = run_program(program.replace("Gst.parse_launch", "launch_and_click")
                       .replace("Gst.init(None)", "Gst.init(None)" + CLICKING))
    if done.returncode:
        return done.stderr
    printed = done.stdout.strip()
    return None if pathlib.Path(printed).is_file() else f"printed {printed!r}"


def check_line(line, has_element):
    line = readme_test.without_gpu(smaller(line), has_element)
    return readme_test.failure(readme_test.stand_in(line, ""), ".")


def main():
    recipes, plugin, program = (pathlib.Path(name).resolve() for name in sys.argv[1:])
    lines = readme_test.lines_of(recipes)
    programs = re.findall(r"^```python\n(.*?)^```", recipes.read_text(), re.MULTILINE | re.DOTALL)
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        os.chdir(folder)
        os.environ.update(GST_PLUGIN_PATH=str(plugin), GST_REGISTRY=str(folder / "registry.bin"),
                          XDG_CACHE_HOME=str(folder / "cache"),
                          PATH=f"{program.parent}:{os.environ['PATH']}")
        import gi
        gi.require_version("Gst", "1.0")
        gi.require_version("GstRtspServer", "1.0")
        from gi.repository import GLib, Gst, GstRtspServer
        Gst.init(None)
        readme_test.make_media(folder)
        preparation = next(line for line in lines if "num-buffers=1 !" in line)
        checks = [(preparation + "  (twice)", lambda: check_preparation(preparation))]
        checks += [(line, lambda line=line: check_line(line, Gst.ElementFactory.find))
                   for line in lines if "film.mosaic" not in line]  # that is made in its block
        fade, click = programs
        checks += [("fade", lambda: check_fade(fade)), ("click", lambda: check_click(click))]
        failures = 0
        for name, check in checks:
            print(name, flush=True)
            problem = check()
            print(f"  {problem or 'ok'}", flush=True)
            failures += problem is not None
        server, address = readme_test.serve_rtsp(GstRtspServer, GLib)
        failures += readme_test.check_blocks(readme_test.program_blocks_of(recipes), folder, address)
        del server
        os.chdir("/")
    sys.exit(failures != 0)


if __name__ == "__main__":
    main()
