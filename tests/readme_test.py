# SPDX-License-Identifier: LGPL-2.1-or-later
"""Runs every gst-launch-1.0 line of the README.

usage: readme_test.py README FOLDER_OF_PLUGIN

GStreamer must accept each line unchanged. Then the line is run with replacements: a clip and photos
made here for the files that it names, a test picture for the camera, an RTSP server on this machine
for the network camera, and a sink that needs no screen. It must end by itself and draw mosaics.
"""
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import threading

LIMIT_S = 180
# Replacements on a machine without an NVIDIA GPU.
ON_GPU = {"nvh264dec": "avdec_h264 ! videoconvert", "nvh264enc": "videoconvert ! x264enc"}
FRAMES = 12
LIVE_FRAMES = 150  # five seconds: a live pipeline passes frames on until its pool is loaded


def lines_of(readme):
    """The gst-launch-1.0 lines in code blocks, continuation lines joined."""
    blocks = re.findall(r"^```sh\n(.*?)^```", readme.read_text(), re.MULTILINE | re.DOTALL)
    commands = "".join(blocks).replace("\\\n", " ").splitlines()
    return [c for c in commands if c.startswith("gst-launch-1.0 ")]


def launch(*words):
    subprocess.run(["gst-launch-1.0", "-q", *words], check=True, timeout=LIMIT_S,
                   stdin=subprocess.DEVNULL)


def make_media(folder):
    """Makes the files that the README and the recipes name: videos, photos and a portrait."""
    for name, pattern in ("clip.mp4", "smpte"), ("other.mp4", "snow"):
        launch("videotestsrc", f"pattern={pattern}", "horizontal-speed=3", f"num-buffers={FRAMES}", "!",
               "video/x-raw,format=I420,width=640,height=360,framerate=25/1", "!", "x264enc", "!",
               "mp4mux", "!", "filesink", f"location={folder / name}")
    (folder / "photos").mkdir()
    for other in "trips/north/2023", "family":
        (folder / other).mkdir(parents=True)
        launch("videotestsrc", "num-buffers=1", "!", "pngenc", "!", "filesink",
               f"location={folder}/{other}/a.png")
    launch("videotestsrc", "num-buffers=1", "!", "video/x-raw,width=640,height=360", "!", "jpegenc",
           "!", "filesink", f"location={folder}/portrait.jpg")
    for pattern in "smpte", "snow", "red", "green", "blue", "white", "black", "circular", "pinwheel":
        launch("videotestsrc", f"pattern={pattern}", "num-buffers=2", "!",
               "video/x-raw,width=120,height=120", "!", "videoconvert", "!", "pngenc", "!",
               "multifilesink", f"location={folder}/photos/{pattern}-%d.png")


def serve_rtsp(gst_rtsp, glib):
    """Starts an RTSP server with H.264 video on a free port of this machine; returns its address."""
    server = gst_rtsp.RTSPServer()
    server.set_address("127.0.0.1")
    server.set_service("0")
    factory = gst_rtsp.RTSPMediaFactory()
    factory.set_launch(f"( videotestsrc is-live=true num-buffers={LIVE_FRAMES} ! "
                       "video/x-raw,width=640,height=360,framerate=30/1 ! "
                       "x264enc tune=zerolatency key-int-max=30 ! rtph264pay name=pay0 )")
    server.get_mount_points().add_factory("/stream", factory)
    server.attach(None)
    threading.Thread(target=glib.MainLoop().run, daemon=True).start()
    return server, f"rtsp://127.0.0.1:{server.get_bound_port()}/stream"


def stand_in(line, address):
    """The line with replacements for everything that this machine may lack."""
    line = line.replace("gst-launch-1.0 -m ", "gst-launch-1.0 ")
    line = re.sub(r"\bv4l2src\b", f"videotestsrc is-live=true num-buffers={LIVE_FRAMES}", line)
    line = re.sub(r"\bvideotestsrc !", f"videotestsrc num-buffers={FRAMES} !", line)
    line = re.sub(r"rtsp://\S+", address, line)
    line = re.sub(r"\bautovideosink\b", "fakesink", line)
    line = re.sub(r"\bmosaictemporal\b", "mosaictemporal silent=false", line)
    return shlex.split(line.replace("gst-launch-1.0", "gst-launch-1.0 -m", 1))


def without_gpu(line, has_element):
    """The line with replacements for elements that do not exist without a GPU."""
    for element, other in ON_GPU.items():
        if not has_element(element):
            line = re.sub(rf"\b{element}\b", other, line)
    return line


def failure(command, folder):
    """Runs a line; returns what went wrong, or None."""
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=LIMIT_S,
                              stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        return f"did not end within {LIMIT_S} s"
    if done.returncode:
        return f"exit status {done.returncode}: {done.stderr.strip()}"
    drawn = done.stdout.count("mosaictemporal-stats")
    return None if drawn else "drew no mosaic"


def main():
    readme, plugin = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve()
    lines = lines_of(readme)
    for needed in "filesrc", "v4l2src", "rtspsrc", "nvh264dec":
        if not any(needed in line for line in lines):
            sys.exit(f"{readme} has no gst-launch-1.0 line with {needed}")
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        os.environ.update(GST_PLUGIN_PATH=str(plugin), GST_REGISTRY=str(folder / "registry.bin"),
                          XDG_CACHE_HOME=str(folder / "cache"))
        import gi
        gi.require_version("Gst", "1.0")
        gi.require_version("GstRtspServer", "1.0")
        from gi.repository import GLib, Gst, GstRtspServer
        Gst.init(None)
        make_media(folder)
        server, address = serve_rtsp(GstRtspServer, GLib)
        failures = 0
        for line in lines:
            print(line, flush=True)
            line = without_gpu(line, Gst.ElementFactory.find)
            try:
                Gst.parse_launch(re.sub(r"^gst-launch-1\.0 (-m )?", "", line))
                problem = failure(stand_in(line, address), folder)
            except GLib.Error as error:
                problem = f"is not accepted: {error.message}"
            print(f"  {problem or 'ok'}", flush=True)
            failures += problem is not None
        del server
    print(f"{len(lines)} lines, {failures} failed")
    sys.exit(failures != 0)


if __name__ == "__main__":
    main()
