/* tactus protocol record --device URI | -- PROGRAM, -o REC */
#include "base/io/output.h"
#include "base/print/print.h"
#include "cli/protocol_io.h"
#include "cli/replay_io.h"
#include "replay/described.h"
#include <string.h>

struct record_text {
    const tac_record_facts *facts;
    size_t count;
};

static void write_record(FILE *out, void *context)
{
    const struct record_text *text = context;
    for (size_t i = 0; i < text->count; i++) {
        const tac_record_facts *f = &text->facts[i];
        tac_print(out, "%s: %zu callbacks, %zu messages, %zu gestures, %zu failures, seed %llu\n",
                  f->file, f->callbacks, f->messages, f->steps, f->failures,
                  (unsigned long long)f->seed);
        for (size_t j = 0; j < f->unseen_count; j++)
            tac_print(out, "  not seen: %s\n", f->unseen[j]);
        if (f->dropped)
            tac_print(out, "  not kept: %zu messages, a limit was passed\n", f->dropped);
        if (f->note)
            tac_print(out, "  %s\n", f->note);
    }
}

static int record(struct invocation *in, tac_subject *subject, const tac_driving *driving,
                  const char *rules)
{
    tac_record_facts *facts = NULL;
    size_t count = 0;
    tac_error err;
    if (tac_replay_record(subject, driving, in->output, rules, &facts, &count, &err) != TAC_OK)
        return fail(in, &err);
    struct record_text text = {facts, count};
    struct invocation told = *in;
    told.output = NULL; /* -o is the recording */
    struct replay_records records = {facts, count};
    int code = in->json ? finish_json(&told, describe_json(&replay_records_described, &records), 0)
                        : finish_text(&told, write_record, &text, 0);
    tac_record_facts_free(facts, count);
    return code;
}

static int protocol_record_run(struct invocation *in)
{
    tac_driving driving;
    tac_subject *subject = NULL;
    tac_error err;
    if (!in->output || !strcmp(in->output, "-"))
        return fail_usage(in, "say with -o FILE where the recording goes");
    int code = replay_driving(in, &driving);
    if (!code && tac_output_try(in->output, &err) != TAC_OK)
        code = fail(in, &err);
    if (!code)
        code = replay_open(in, &subject);
    struct replay_rules rules = {0};
    if (!code && (in->program_count || option_count(in, "rules")))
        code = replay_rules(in, tac_subject_kind(subject), &rules);
    if (!code)
        code = record(in, subject, &driving, rules.set);
    replay_rules_free(&rules);
    tac_subject_free(subject);
    return code;
}

static const struct option protocol_record_options[] = {
    REPLAY_DEVICE, REPLAY_DRIVING, REPLAY_SEED, PROTOCOL_RULES, REPLAY_STAY, REPLAY_JVM_MODE, {0},
};

const struct command cmd_protocol_record = {
    .noun = "protocol",
    .verb = "record",
    .group = GROUP_ANALYSE,
    .args = "[-- PROGRAM ARGS]",
    .summary = "record how a running app and its framework call each other",
    .description = "Runs the app with a recorder in it and writes what crosses the border between "
                   "framework and app: events, timers, responses and messages on the one side, "
                   "changes of the document, requests, timers, listeners on the other. The file is "
                   "what validate, verify and show read; its first line says what recorded it. The "
                   "app is driven by seeded random touches, by flows, or by a script.\n\n"
                   "Several runs give several files: REC, and REC-2, REC-3 before the ending.",
    .example = "tactus protocol record --device chromium:http://127.0.0.1:8000/search.html --steps "
               "3 -o search.jsonl",
    .options = protocol_record_options,
    .documents = DOCUMENTS(&replay_records_described),
    .common = HAS_JSON | HAS_OUTPUT,
    .takes_program = true,
    .drives_devices = true,
    .run = protocol_record_run,
};
