/* What `tactus serve` and `tactus demo --serve` share. */
#pragma once

#include "cli/command.h"
#include "serve/serve.h"

/* Serves until a signal; prints the address. Returns the exit code. */
int serve_folder(struct invocation *in, const tac_portal_options *options, bool open);
