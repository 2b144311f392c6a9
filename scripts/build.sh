# SPDX-License-Identifier: LGPL-2.1-or-later
build_plugin
say "build/gst/libgstmosaictemporal.so is ready; to use it: export GST_PLUGIN_PATH=$PWD/build/gst"
