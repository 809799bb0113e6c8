/* The demo's input files, embedded in the program. */
#pragma once

#include "tactus/error.h"

/* Writes them all into folder/inputs. */
tac_status demo_write_inputs(const char *folder, tac_error *err);
