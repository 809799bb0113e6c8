/* tactus model diff A B */
#include "base/data/text.h"
#include "cli/model_io.h"
#include "tactus/model_tools.h"
#include <string.h>

struct diff_text {
    const json_t *diff;
    const char *const *files;
    bool verbose;
};

enum { SHOWN = 20 };

static void write_only(FILE *out, const struct diff_text *text, const char *key, const char *file)
{
    const char *kind;
    json_t *list;
    json_object_foreach(json_object_get(text->diff, key), kind, list)
    {
        size_t i, count = json_array_size(list);
        json_t *item;
        json_array_foreach(list, i, item)
        {
            if (i == SHOWN && !text->verbose) {
                fprintf(out, "only in %s: %zu more %s (--verbose shows all)\n", file, count - i,
                        kind);
                break;
            }
            if (json_is_string(item))
                fprintf(out, "only in %s: %.*s %s\n", file, (int)strlen(kind) - 1, kind,
                        json_string_value(item));
            else
                fprintf(out, "only in %s: transition %s/%s --%s--> %s\n", file,
                        json_string_value(json_object_get(item, "machine")),
                        json_string_value(json_object_get(item, "from")),
                        json_string_value(json_object_get(item, "event")),
                        json_string_value(json_object_get(item, "to")));
        }
    }
}

static void write_changed(FILE *out, const json_t *change)
{
    const json_t *where = json_object_get(change, "where");
    if (json_is_string(where))
        fprintf(out, "changed: %s", json_string_value(where));
    else
        fprintf(out, "changed: %s/%s --%s--> %s",
                json_string_value(json_object_get(where, "machine")),
                json_string_value(json_object_get(where, "from")),
                json_string_value(json_object_get(where, "event")),
                json_string_value(json_object_get(where, "to")));
    fprintf(out, ": %s is \"%s\" and \"%s\"\n", json_string_value(json_object_get(change, "what")),
            json_string_value(json_object_get(change, "first")),
            json_string_value(json_object_get(change, "second")));
}

static void write_diff(FILE *out, void *context)
{
    const struct diff_text *text = context;
    char subject[256];
    snprintf(subject, sizeof subject, "%.120s and %.120s", tac_base_name(text->files[0]),
             tac_base_name(text->files[1]));
    tac_verdict verdict;
    tac_model_diff_verdict(text->diff, subject, &verdict);
    tac_verdict_text(&verdict, out);
    tac_verdict_free(&verdict);
    write_only(out, text, "only_first", tac_base_name(text->files[0]));
    write_only(out, text, "only_second", tac_base_name(text->files[1]));
    size_t i;
    json_t *change;
    json_array_foreach(json_object_get(text->diff, "changed"), i, change)
    {
        write_changed(out, change);
    }
}

static int model_diff_run(struct invocation *in)
{
    int code = 0;
    tac_model *first = load_models(in, &in->args[0], 1, &code);
    tac_model *second = first ? load_models(in, &in->args[1], 1, &code) : NULL;
    if (second) {
        json_t *diff = tac_model_diff(first, second);
        bool equal = json_is_true(json_object_get(diff, "equal"));
        int exit_code = tac_exit_code(TAC_OK, equal ? TAC_HOLDS : TAC_VIOLATED);
        if (in->json) {
            code = finish_json(in, diff, exit_code);
        } else {
            struct diff_text text = {diff, in->args, in->verbose};
            code = finish_text(in, write_diff, &text, exit_code);
            json_decref(diff);
        }
    }
    tac_model_free(first);
    tac_model_free(second);
    return code;
}

const struct command cmd_model_diff = {
    .noun = "model",
    .verb = "diff",
    .args = "FIRST SECOND",
    .least_args = 2,
    .most_args = 2,
    .summary = "compare two models up to names",
    .description =
        "States and state machines correspond by the events that lead to them from the starts, "
        "whatever they are called; events and channels must have the same names. Compared are "
        "states, transitions, calls, accessibility, times, kinds and channels; not weights, "
        "actions and notes.\n\n"
        "Exit code 0 when the models are equal, 1 when they differ. 'Equal' is certain; "
        "'different' is certain where no state has two transitions of one event.",
    .example = "tactus model diff examples/uamp/uamp.model.xml examples/uamp/uamp.model.xml",
    .common = HAS_JSON | HAS_OUTPUT | HAS_VERBOSE,
    .run = model_diff_run,
};
