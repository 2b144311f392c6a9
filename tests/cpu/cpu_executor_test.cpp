// SPDX-License-Identifier: LGPL-2.1-or-later
#include <glib.h>
#include <gtest/gtest.h>

#include <string>

#include "cpu/cpu_executor.h"
#include "executor/executor.h"
#include "tests/kernels/kernel_memory.h"
#include "tests/kernels/shared_overrun.h"

namespace {

/// Collects log messages. While it exists, critical messages are not fatal, whatever G_DEBUG says.
class Log {
 public:
  Log() : fatal_(g_log_set_always_fatal(G_LOG_LEVEL_ERROR)) {
    before_ = g_log_set_default_handler(
        [](const char*, GLogLevelFlags, const char* message, void* text) {
          static_cast<std::string*>(text)->append(message);
        },
        &text_);
  }
  ~Log() {
    g_log_set_default_handler(before_, nullptr);
    g_log_set_always_fatal(fatal_);
  }
  const std::string& text() const { return text_; }

 private:
  const GLogLevelFlags fatal_;
  GLogFunc before_;
  std::string text_;
};

TEST(CpuExecutor, ReportsAKernelThatWritesPastItsSharedMemory) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "the kernel computes with what it overwrote, and a sanitizer would stop it";
#endif
  const auto executor = mt::make_cpu_executor(1);
  test::KernelMemory memory(executor);
  const mt::Rerank kernel =
      test::shared_overrun([&](size_t bytes) { return memory.zeroed<uint8_t>(bytes); });
  const Log log;
  executor->launch(kernel, 1);
  executor->wait();
  EXPECT_EQ("kernel Rerank wrote past the " + std::to_string(mt::Rerank::kShared) +
                " bytes that its groups share",
            log.text());
}

}  // namespace
