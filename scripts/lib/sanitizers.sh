# SPDX-License-Identifier: LGPL-2.1-or-later
# Options of the builds in which tests run, and what the sanitizers need.

# highest_level: the highest level of x86-64, of those that kernels are compiled for, that this processor
# runs; v4 on other architectures, where it means nothing.
highest_level() {
  case "$(uname -m) $(grep -m 1 '^flags' /proc/cpuinfo)" in
    x86_64*" avx512vl "*) echo v4 ;;
    x86_64*" avx2 "*) echo v3 ;;
    x86_64*) echo v2 ;;
    *) echo v4 ;;
  esac
}

# The libraries are optimised as users get them, but several sources are compiled at once, and kernels
# only for what this processor can run. The tests are optimised less, because compiling them takes most
# of the time. Debug information of line numbers only, and machine code for only one kind of GPU, halve
# that time.
options=(-Dtests=true -Dwerror=true -Ddebug=false -Doptimization=2 -Dcpp_args=-g1
  -Dcuda-architectures=75 -Dunity-build=true "-Dsimd=$(highest_level)")
sanitized=("${options[@]}" -Doptimization=1 -Dcuda=disabled -Dsimd=v2 -Db_lundef=false)
# With this, ccache compiles the same source with the same options only once for all build folders.
export CCACHE_NOHASHDIR=1
# With this it does not run the preprocessor before each compilation.
export CCACHE_DEPEND=1
# Without this it does not store what is compiled with precompiled headers.
export CCACHE_SLOPPINESS=pch_defines,time_macros

# use_address_sanitizer OPTIMISATION: configures build-asan, and sets what its programs need.
use_address_sanitizer() {
  configure build-asan "${sanitized[@]}" "-Doptimization=$1" -Db_sanitize=address,undefined
  # The registry's scanner is a program that cannot load an instrumented plugin, so each test scans in
  # its own process. (Leak reports lack the function names of plugins that were unloaded.)
  export GST_REGISTRY_FORK=no
  # GLib has no frame pointers: only the slow unwinder shows which code caused a leak.
  export ASAN_OPTIONS=detect_leaks=1:fast_unwind_on_malloc=0
  ASAN_OPTIONS+=:strict_string_checks=1:check_initialization_order=1
  export LSAN_OPTIONS=suppressions=$PWD/tests/lsan.supp:print_suppressions=0
  export UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1
}

# Configures build-tsan, and sets what its programs need.
use_thread_sanitizer() {
  configure build-tsan "${sanitized[@]}" -Db_sanitize=thread
  export GST_REGISTRY_FORK=no
  # GLib and GStreamer are not instrumented; the sanitizer does not see their locks.
  export TSAN_OPTIONS=ignore_noninstrumented_modules=1:second_deadlock_stack=1
}
