// SPDX-License-Identifier: LGPL-2.1-or-later
// libnvrtc.so without functions: with it GStreamer's nvcodec plugin, 1.24 and later, does not try
// to compile kernels for the emulated device.
