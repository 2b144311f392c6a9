// SPDX-License-Identifier: LGPL-2.1-or-later
#include "program/options/command_words.h"

#include <memory>
#include <string>

#include "gst/pointers.h"
#include "program/failure.h"

namespace mosaic_program {
namespace {

struct FreeContext {
  void operator()(GOptionContext* context) const { g_option_context_free(context); }
};

}  // namespace

void read_command_words(const char* name, const char* summary, const GOptionEntry* entries,
                        int argc, char** argv) {
  g_set_prgname(("mosaic-temporal " + std::string(name)).c_str());  // in the help
  const std::unique_ptr<GOptionContext, FreeContext> context(g_option_context_new(nullptr));
  g_option_context_set_summary(context.get(), summary);
  g_option_context_add_main_entries(context.get(), entries, nullptr);
  GError* found = nullptr;
  g_option_context_parse(context.get(), &argc, &argv, &found);
  const mosaic_gst::Owned<GError> error(found);
  if (error) throw WrongUsage(error->message);
}

}  // namespace mosaic_program
