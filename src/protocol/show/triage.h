/* What people found out about alarms: per recording and call whether the defect is real. */
#pragma once

#include "base/data/vec.h"
#include "tactus/error.h"
#include <stdbool.h>

enum triage_finding { TRIAGE_OPEN, TRIAGE_REAL, TRIAGE_FALSE };

struct triage_line {
    char *recording, *call, *reason;
    bool real;
    size_t line;
    bool used;
};

struct triage {
    TAC_VEC(struct triage_line) lines;
};

/* Lines of recording, call, "real" or "false", and a reason, separated by tabs or, where there is
 * no tab, by commas; '#' starts a comment. TAC_E_INPUT with the line when one is wrong. */
tac_status triage_read(const char *path, struct triage *out, tac_error *err);
/* trace: a path; the recording is its base name, with or without endings. method: "pkg.Cls.m"; a
 * line's call is that, or its end after a dot. */
enum triage_finding triage_find(const struct triage *triage, const char *trace, const char *method);
void triage_free(struct triage *triage);
