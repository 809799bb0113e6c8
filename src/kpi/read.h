/* Members of JSON objects with exact messages, for the two files that this module reads. */
#pragma once

#include "base/io/json.h"
#include "kpi/catalogue.h"

enum { KPI_MAX_FILE = 4 << 20, KPI_MAX_LIST = 1000, KPI_MAX_TEXT = 4000 };

/* An object of the file and where it stands ("/kpis/3"). */
struct kpi_object {
    const tac_json *file;
    const json_t *json;
    tac_arena *arena; /* of texts that are read */
    char at[96];
};

/* The object at `at`; anything else is an error that says what was expected there. */
tac_status kpi_object_open(const tac_json *file, const json_t *json, const char *at,
                           const char *what, tac_arena *arena, struct kpi_object *out,
                           tac_error *err);
/* Every member is one of the words of `keys` ("a b c"), or a comment that begins with '#'. */
tac_status kpi_refuse_unknown(const struct kpi_object *object, const char *keys, tac_error *err);
/* A text of one line; *out is a copy, "" when it is absent and not needed. */
tac_status kpi_read_text(const struct kpi_object *object, const char *key, bool needed,
                         const char **out, tac_error *err);
/* A name that formulas can use: letters, digits and '_', no digit first. */
tac_status kpi_read_name(const struct kpi_object *object, const char *key, const char **out,
                         tac_error *err);
bool kpi_is_name(const char *text);
/* A list of texts of one line; empty when it is absent. */
tac_status kpi_read_texts(const struct kpi_object *object, const char *key, kpi_texts *out,
                          tac_error *err);
tac_status kpi_fail(const struct kpi_object *object, const char *key, tac_error *err,
                    const char *format, ...) __attribute__((format(printf, 4, 5)));
