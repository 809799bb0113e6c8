/* Between crash.c and crash_native.c. */
#pragma once

#include "device/android/dump/parse.h"

enum { MOST_FRAMES = 200 };
/* Where a crash is being read. SIGNALLED: libc has said the signal, DEBUG nothing yet. */
enum { IDLE, JAVA, NATIVE_HEAD, NATIVE, SIGNALLED };

/* The name up to a blank, ',' or '(' is the package, or one of its processes ("pkg:remote"). */
bool crash_is_mine(const struct android_crash *crash, const char *name);
/* Nothing was seen yet, or only that the process died: what says why takes its place. */
bool crash_may_begin(const struct android_crash *crash);
void crash_begin(struct android_crash *crash, const tac_log_line *line);
void crash_anr_line(struct android_crash *crash, const tac_log_line *line);
void crash_native_line(struct android_crash *crash, const tac_log_line *line);
void crash_signal_line(struct android_crash *crash, const tac_log_line *line);
