// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// The commands for films that are made part by part. Each takes argc and argv without
/// "mosaic-temporal", returns an exit status, kTryAgain among them, and throws Failure or
/// WrongUsage.
#pragma once

namespace mosaic_program {

int plan_command(int argc, char** argv);
int part_command(int argc, char** argv);
int join_command(int argc, char** argv);
int status_command(int argc, char** argv);

}  // namespace mosaic_program
