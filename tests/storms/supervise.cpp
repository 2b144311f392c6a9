// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/storms/supervise.h"

#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <fstream>

namespace storm {
namespace {

constexpr size_t kLastLines = 150;

void print_end_of(const std::string& path) {
  std::deque<std::string> lines;
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) {
    lines.push_back(line);
    if (lines.size() > kLastLines) lines.pop_front();
  }
  for (const std::string& line : lines) std::fprintf(stderr, "  %s\n", line.c_str());
}

}  // namespace

int supervise(const std::string& journal, const std::string& repeat,
              const std::function<int()>& body) {
  const pid_t child = fork();
  if (child < 0) {
    std::perror("fork");
    return 1;
  }
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);  // ends with this process
    std::exit(body());
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
    unlink(journal.c_str());
    return 0;
  }
  if (WIFSIGNALED(status))
    std::fprintf(stderr, "The storm was ended by signal %d (%s).\n", WTERMSIG(status),
                 strsignal(WTERMSIG(status)));
  else
    std::fprintf(stderr, "The storm ended with status %d.\n", WEXITSTATUS(status));
  std::fprintf(stderr, "To repeat it: %s\nThe end of its journal, %s:\n", repeat.c_str(),
               journal.c_str());
  print_end_of(journal);
  return 1;
}

int peak_memory() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<int>(usage.ru_maxrss / 1024);
}

}  // namespace storm
