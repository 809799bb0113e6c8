/* What the texts of several answers share. */
#pragma once

#include "protocol/result.h"

/* How the recording was read, one note a line: other threads, assumed callbacks, a cut end. */
void protocol_print_reading(const tac_protocol_reading *reading, FILE *out);
