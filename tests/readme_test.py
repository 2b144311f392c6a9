# SPDX-License-Identifier: LGPL-2.1-or-later
"""Runs every gst-launch-1.0 line of documents, and every block of commands with mosaic-temporal.

usage: readme_test.py DOCUMENT... FOLDER_OF_PLUGIN PROGRAM

GStreamer must accept each line unchanged. Then the line is run with replacements: a clip and photos
made here for the files that it names, a test picture for the camera, an RTSP server on this machine
for the network camera, and a sink that needs no screen. It must end by itself and draw mosaics.
Blocks of commands are run by a shell, with the same replacements, and must write every file that they
name as an output.
"""
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import threading

LIMIT_S = 180
# Replacements on a machine without an NVIDIA GPU.
ON_GPU = {"nvh264dec": "avdec_h264 ! videoconvert", "nvh264enc": "videoconvert ! x264enc"}
FRAMES = 12
LIVE_FRAMES = 150  # five seconds: a live pipeline passes frames on until its pool is loaded


def blocks_of(document):
    """The blocks of commands, continuation lines joined."""
    text = document.read_text(encoding="utf-8")
    return [block.replace("\\\n", " ")
            for block in re.findall(r"^```sh\n(.*?)^```", text, re.MULTILINE | re.DOTALL)]


def lines_of(document):
    """The gst-launch-1.0 lines in code blocks."""
    commands = "".join(blocks_of(document)).splitlines()
    return [c for c in commands if c.startswith("gst-launch-1.0 ")]


def program_blocks_of(document):
    """The blocks in which mosaic-temporal is started."""
    return [block for block in blocks_of(document)
            if re.search(r"^ *mosaic-temporal ", block, re.MULTILINE)]


def launch(*words):
    subprocess.run(["gst-launch-1.0", "-q", *words], check=True, timeout=LIMIT_S,
                   stdin=subprocess.DEVNULL)


def make_media(folder):
    """Makes the files that the documents name: videos, photos and portraits."""
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
    for name, copies in (("clip.mp4", ("film.mp4", "films/one.mp4", "films/the other.mp4")),
                         ("portrait.jpg", ("portraits/one.jpg", "portraits/the other.jpg"))):
        for copy in copies:
            (folder / copy).parent.mkdir(exist_ok=True)
            shutil.copy(folder / name, folder / copy)
    for pattern in "smpte", "snow", "red", "green", "blue", "white", "black", "circular", "pinwheel":
        launch("videotestsrc", f"pattern={pattern}", "num-buffers=2", "!",
               "video/x-raw,width=120,height=120", "!", "videoconvert", "!", "pngenc", "!",
               "multifilesink", f"location={folder}/photos/{pattern}-%d.png")


def serve_rtsp(gst_rtsp, glib):
    """Starts an RTSP server with H.264 video on a free port of this machine; returns the address of a
    stream of a few seconds. In place of /stream, /camera does not end."""
    server = gst_rtsp.RTSPServer()
    server.set_address("127.0.0.1")
    server.set_service("0")
    for path, frames in ("/stream", LIVE_FRAMES), ("/camera", -1):
        factory = gst_rtsp.RTSPMediaFactory()
        factory.set_launch(f"( videotestsrc is-live=true num-buffers={frames} ! "
                           "video/x-raw,width=640,height=360,framerate=30/1 ! "
                           "x264enc tune=zerolatency key-int-max=30 ! rtph264pay name=pay0 )")
        server.get_mount_points().add_factory(path, factory)
    server.attach(None)
    threading.Thread(target=glib.MainLoop().run, daemon=True).start()
    return server, f"rtsp://127.0.0.1:{server.get_bound_port()}/stream"


def stand_in(line, address):
    """The line with replacements for everything that this machine may lack."""
    line = line.replace("gst-launch-1.0 -m ", "gst-launch-1.0 ")
    line = re.sub(r"\bv4l2src\b( device=\S+)?", f"videotestsrc is-live=true num-buffers={LIVE_FRAMES}", line)
    line = re.sub(r"\bvideotestsrc !", f"videotestsrc num-buffers={FRAMES} !", line)
    line = re.sub(r"rtsp://\S+", address, line)
    line = re.sub(r"\bautovideosink\b|\bv4l2sink device=\S+", "fakesink", line)
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


def program_stand_in(block, address):
    """A block with replacements: a network camera of this machine for every camera, half a second of
    video in place of a window, a quarter of a poster's sides; servers are interrupted."""
    def smaller(match):
        sides = [int(side) for side in match.groups()]
        return f"--output-size {sides[0] // 4}x{sides[1] // 4}" if min(sides) > 1500 else match[0]

    address = address.replace("/stream", "/camera")
    block = re.sub(r"(mosaic-temporal )(camera|/dev/video\d|rtsp://\S+)", rf"\1{address}", block)
    block = re.sub(r"--(show|fullscreen)(?=\s)", "--seconds 0.5 --output shown.mp4", block)
    block = re.sub(r"^mosaic-temporal serve\b", "timeout --preserve-status -s INT 3 mosaic-temporal serve --port 0",
                   block, flags=re.MULTILINE)
    block = re.sub(r"--sink\b", "--seconds 0.5 --sink", block)
    block = re.sub(r"\bautovideosink\b|\bv4l2sink device=[^\s\"]+", "fakesink", block)
    return re.sub(r"--output-size (\d+)x(\d+)", smaller, block)


def failure_of_block(block, folder):
    """Runs a block of commands; returns what went wrong, or None."""
    outputs = [name for name in re.findall(r"--output (\S+)", block) if "$" not in name]
    for name in outputs:
        if name.endswith("/"):
            shutil.rmtree(folder / name, ignore_errors=True)
        else:
            (folder / name).unlink(missing_ok=True)
    try:
        done = subprocess.run(["bash", "-euo", "pipefail", "-c", block], cwd=folder,
                              capture_output=True, text=True, timeout=2 * LIMIT_S,
                              stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        return f"did not end within {2 * LIMIT_S} s"
    said = done.stdout + done.stderr
    if done.returncode or "failed" in said:
        return f"exit status {done.returncode}: {said.strip()}"
    missing = [name for name in outputs
               if not (any((folder / name).iterdir()) if name.endswith("/") else (folder / name).is_file())]
    return f"did not write {', '.join(missing)}" if missing else None


def check_blocks(blocks, folder, address):
    """Runs blocks of commands with mosaic-temporal; returns how many failed."""
    failures = 0
    for block in blocks:
        print(block.rstrip(), flush=True)
        problem = failure_of_block(program_stand_in(block, address), folder)
        print(f"  {problem or 'ok'}", flush=True)
        failures += problem is not None
    return failures


def main():
    documents = [pathlib.Path(name) for name in sys.argv[1:-2]]
    plugin, program = (pathlib.Path(name).resolve() for name in sys.argv[-2:])
    lines = [line for document in documents for line in lines_of(document)]
    blocks = [block for document in documents for block in program_blocks_of(document)]
    for needed in "filesrc", "v4l2src", "rtspsrc", "nvh264dec":
        if not any(needed in line for line in lines):
            sys.exit(f"there is no gst-launch-1.0 line with {needed}")
    if not any("--show" in block for block in blocks):
        sys.exit("mosaic-temporal is not shown")
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        os.environ.update(GST_PLUGIN_PATH=str(plugin), GST_REGISTRY=str(folder / "registry.bin"),
                          XDG_CACHE_HOME=str(folder / "cache"),
                          PATH=f"{program.parent}:{os.environ['PATH']}")
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
        failures += check_blocks(blocks, folder, address)
        del server
    print(f"{len(lines)} lines and {len(blocks)} blocks, {failures} failed")
    sys.exit(failures != 0)


if __name__ == "__main__":
    main()
