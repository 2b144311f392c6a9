// SPDX-License-Identifier: LGPL-2.1-or-later
// libnvrtc.so without a single function: from 1.24 on GStreamer's nvcodec plugin then does not try
// to compile kernels for a device that is not there.
