/* tactus facts FILE... */
#include "base/data/alloc.h"
#include "base/print/print.h"
#include "cli/command.h"
#include "facts/page.h"
#include <inttypes.h>

static const struct option facts_options[] = {
    TEXT("as", "KIND", "what the files are (default: recognised by their content)",
         .synonyms = "kind"),
    {.name = NULL}};

static void write_text(FILE *out, void *context)
{
    const tac_facts *facts = context;
    size_t count;
    const tac_fact *at = tac_facts_at(facts, &count);
    for (size_t i = 0; i < count; i++) {
        if (at[i].text)
            tac_print(out, "  %-32s %s\n", at[i].name, at[i].text);
        else
            tac_print(out, "  %-32s %" PRId64 "\n", at[i].name, at[i].number);
    }
}

struct reading {
    const char *const *paths;
    tac_facts **facts; /* per path; of no kind: it could not be read */
    size_t count;
    int code;
};

static void read_one(const struct invocation *in, size_t index, struct reading *reading)
{
    tac_error err;
    size_t warnings;
    tac_facts *facts = NULL;
    tac_status status =
        tac_facts_read(in->args[index], option_text(in, "as"), in->watch, &facts, &err);
    if (status) {
        char text[2048];
        reading->code = fail(in, &err);
        facts = page_new(in->args[index], NULL, NULL);
        page_warn(facts, "%s", tac_error_text(&err, text, sizeof text));
    }
    reading->facts[index] = facts;
    if (status)
        return;
    const char *const *texts = tac_facts_warnings(facts, &warnings);
    for (size_t i = 0; i < warnings; i++)
        complain("warning: %s: %s", in->args[index], texts[i]);
}

static void write_all(FILE *out, void *context)
{
    struct reading *reading = context;
    for (size_t i = 0; i < reading->count; i++) {
        if (!tac_facts_kind(reading->facts[i]))
            continue;
        tac_print(out, "%s: %s, %s\n", reading->paths[i], tac_facts_kind(reading->facts[i]),
                  tac_facts_title(reading->facts[i]));
        write_text(out, reading->facts[i]);
    }
}

static int facts_run(struct invocation *in)
{
    struct reading reading = {.paths = in->args, .count = in->arg_count};
    reading.facts = tac_calloc(in->arg_count, sizeof *reading.facts);
    for (size_t i = 0; i < in->arg_count; i++)
        read_one(in, i, &reading);
    struct facts_document document = {reading.facts, in->arg_count};
    int code = in->json ? finish_json(in, describe_json(&facts_document_described, &document),
                                      reading.code)
                        : finish_text(in, write_all, &reading, reading.code);
    for (size_t i = 0; i < in->arg_count; i++)
        tac_facts_free(reading.facts[i]);
    free(reading.facts);
    return code;
}

const struct command cmd_facts = {
    .noun = "facts",
    .group = GROUP_ANALYSE,
    .args = "FILE...",
    .summary = "say what a file is and what it holds, on one page",
    .description =
        "Recognises each file by its content (a trace, a capture, a log, a dump of a phone) and "
        "prints one page about it: how long it lasts, how many states, events and processes it "
        "has, the range of each value, the crash that a log tells of. Files may be packed by gzip, "
        "xz, zstd or zip.\n\n"
        "With --json each file is {\"file\", \"kind\", \"title\", \"values\": {NAME: VALUE}, "
        "\"warnings\"}: at the top for a single file, and in the list \"files\" for any number. A "
        "value is a whole number or a text; a name with several values has an array. A file of no "
        "known kind has the kind null, and the exit code is 4.",
    .example = "tactus facts examples/traces/battery.txt",
    .options = facts_options,
    .documents = DOCUMENTS(&facts_document_described),
    .common = HAS_JSON | HAS_OUTPUT,
    .run = facts_run,
};
