# SPDX-License-Identifier: LGPL-2.1-or-later
"""Pipelines that tests in Python run."""

import gi

gi.require_version("Gst", "1.0")
from gi.repository import Gst  # noqa: E402


def launch(line):
    """Runs a pipeline to its end."""
    pipeline = Gst.parse_launch(line)
    pipeline.set_state(Gst.State.PLAYING)
    message = pipeline.get_bus().timed_pop_filtered(
        120 * Gst.SECOND, Gst.MessageType.EOS | Gst.MessageType.ERROR)
    pipeline.set_state(Gst.State.NULL)
    assert message and message.type == Gst.MessageType.EOS, line
