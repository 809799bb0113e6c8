/* tactus doctor [--device URI]: what works here, and the one command that mends what does not. */
#include "base/check.h"
#include "base/describe/describe.h"
#include "base/print/print.h"
#include "cli/device_options.h"
#include "cli/doctor.h"
#include "tactus/version.h"
#include <math.h>

struct doctor_answer {
    const struct doctor *doctor;
    const char *uri; /* NULL: no device was tried */
    bool works;
};

static void write_item(FILE *out, const struct doctor_item *item)
{
    tac_print(out, "  %-8s %-13s", item->works ? "works" : "PROBLEM", item->name);
    if (item->works)
        tac_print(out, " %s%s%s\n", item->found, *item->found && *item->use ? "; " : "", item->use);
    else
        tac_print(out, " %s%s%s\n           mend it: %s\n", item->found, *item->found ? ": " : "",
                  item->problem, *item->remedy ? item->remedy : "(nobody knows)");
}

static void write_kind(FILE *out, const struct doctor *d, enum doctor_kind kind,
                       const char *heading)
{
    bool any = false;
    for (size_t i = 0; i < d->items.count; i++) {
        if (d->items.at[i].kind != kind)
            continue;
        if (!any)
            tac_print(out, "%s\n", heading);
        any = true;
        write_item(out, &d->items.at[i]);
    }
}

static void write_answer(FILE *out, void *context)
{
    const struct doctor_answer *answer = context;
    const struct doctor *d = answer->doctor;
    tac_print(out, "tactus %s\n", TACTUS_VERSION);
    write_kind(out, d, DOCTOR_PROGRAM, "programs");
    write_kind(out, d, DOCTOR_DEVICE, "kinds of devices");
    write_kind(out, d, DOCTOR_PHONE, "phones");
    if (answer->uri) {
        tac_print(out, "%s\n", answer->uri);
        write_kind(out, d, DOCTOR_STEP, "tried");
    }
    for (size_t i = 0; i < d->measures.count; i++) {
        const struct doctor_measure *at = &d->measures.at[i];
        if (isnan(at->value))
            tac_print(out, "  measures %-13s %s, not now\n", at->name, at->unit);
        else
            tac_print(out, "  measures %-13s %s, now %.6g\n", at->name, at->unit, at->value);
    }
    tac_print(out, "%s\n", answer->works ? "everything works" : "not everything works");
}

/* What works has no problem; what nobody knows to mend has no remedy. */
#define MENDING                                                                                    \
    FIELD(struct doctor_item, problem, .known = IF_NOT(struct doctor_item, works)),                \
        FIELD(struct doctor_item, remedy, .unknown = "")
static const struct field program_fields[] = {FIELDS(struct doctor_item, name, works),
                                              FIELD(struct doctor_item, found, .key = "version"),
                                              FIELD(struct doctor_item, use), MENDING};
static DESCRIBE(program, struct doctor_item);
static const struct field kind_fields[] = {FIELDS(struct doctor_item, name, works, found, use),
                                           MENDING};
static DESCRIBE(kind, struct doctor_item);
static const struct field phone_fields[] = {
    FIELDS(struct doctor_item, name, works), FIELD(struct doctor_item, found, .key = "state"),
    FIELD(struct doctor_item, use, .key = "model"), MENDING};
static DESCRIBE(phone, struct doctor_item);
static const struct field step_fields[] = {FIELDS(struct doctor_item, name, works, found), MENDING};
static DESCRIBE(step, struct doctor_item);

static const char *const kinds[] = {[DOCTOR_PROGRAM] = "program",
                                    [DOCTOR_DEVICE] = "device",
                                    [DOCTOR_PHONE] = "phone",
                                    [DOCTOR_STEP] = "step"};
TABLE_COVERS(kinds, DOCTOR_STEP);
static const struct field problem_fields[] = {FIELD_ENUM(struct doctor_item, kind, kinds),
                                              FIELDS(struct doctor_item, name, problem),
                                              FIELD(struct doctor_item, remedy, .unknown = "")};
static DESCRIBE(problem, struct doctor_item);

static const struct field measure_fields[] = {FIELDS(struct doctor_measure, name, unit, value)};
static DESCRIBE(measure, struct doctor_measure);
static const struct field clock_fields[] = {
    FIELD(struct doctor, clock_offset, .key = "offset", .unit = "s"),
    FIELD(struct doctor, clock_uncertainty, .key = "uncertainty", .unit = "s")};
static DESCRIBE(clock, struct doctor);
static const struct field tried_fields[] = {
    FIELD_LIST(struct doctor, items.at, items.count, step_described, .key = "steps",
               .each = IF_IS(struct doctor_item, kind, DOCTOR_STEP)),
    FIELD_LIST(struct doctor, measures.at, measures.count, measure_described, .key = "measures"),
    FIELD_GROUP(struct doctor, "clock", clock_described, .known = IF(struct doctor, has_clock))};
static DESCRIBE(tried, struct doctor);
static const struct field device_fields[] = {
    FIELDS(struct doctor_answer, uri, works),
    FIELD_POINTER(struct doctor_answer, doctor, tried_described, .splice = true)};
static DESCRIBE(device, struct doctor_answer);

static const struct field looked_fields[] = {
    FIELD_LIST(struct doctor, items.at, items.count, program_described, .key = "programs",
               .each = IF_IS(struct doctor_item, kind, DOCTOR_PROGRAM)),
    FIELD_LIST(struct doctor, items.at, items.count, kind_described, .key = "devices",
               .each = IF_IS(struct doctor_item, kind, DOCTOR_DEVICE)),
    FIELD_LIST(struct doctor, items.at, items.count, phone_described, .key = "phones",
               .each = IF_IS(struct doctor_item, kind, DOCTOR_PHONE))};
static DESCRIBE(looked, struct doctor);
static const struct field problems_fields[] = {
    FIELD_LIST(struct doctor, items.at, items.count, problem_described, .key = "problems",
               .each = IF_NOT(struct doctor_item, works))};
static DESCRIBE(problems, struct doctor);
FIELD_GETTER(version_of, struct doctor_answer, out->text = TACTUS_VERSION)
static const struct field answer_fields[] = {
    FIELD_GET_TEXT("version", version_of), FIELD(struct doctor_answer, works),
    FIELD_POINTER(struct doctor_answer, doctor, looked_described, .splice = true),
    FIELD_GROUP(struct doctor_answer, "device", device_described,
                .known = IF(struct doctor_answer, uri)),
    FIELD_POINTER(struct doctor_answer, doctor, problems_described, .splice = true)};
static DESCRIBE(answer, struct doctor_answer);

static int doctor_run(struct invocation *in)
{
    struct doctor doctor = {0};
    struct doctor_answer answer = {
        .doctor = &doctor, .uri = option_text(in, "device"), .works = true};
    doctor_look_at_programs(&doctor);
    doctor_look_at_phones(&doctor);
    doctor_look_at_devices(&doctor);
    if (answer.uri) {
        tac_device_options options = {.app = option_text(in, "app"),
                                      .capabilities = option_text(in, "capabilities"),
                                      .seed = 1,
                                      .once = true,
                                      .deadline = option_real(in, "deadline", 0)};
        note_sandbox(in, answer.uri);
        doctor_try_device(&doctor, answer.uri, &options);
    }
    for (size_t i = 0; i < doctor.items.count; i++)
        if (!answer.uri || doctor.items.at[i].kind == DOCTOR_STEP)
            answer.works = answer.works && doctor.items.at[i].works;
    int code = tac_exit_code(TAC_OK, answer.works ? TAC_HOLDS : TAC_VIOLATED);
    code = in->json ? finish_json(in, describe_json(&answer_described, &answer), code)
                    : finish_text(in, write_answer, &answer, code);
    doctor_free(&doctor);
    return code;
}

static const struct option doctor_options[] = {
    TEXT("device", "URI",
         "also try this device end to end: start its app, look at the screen, press Escape, read "
         "log, probes and clock",
         .meaning = "what runs the app"),
    DEVICE_APP,
    DEVICE_CAPABILITIES,
    DEVICE_CALL_DEADLINE,
    {0},
};

const struct command cmd_doctor = {
    .noun = "doctor",
    .group = GROUP_SETUP,
    .first = true,
    .args = "",
    .summary = "say what works on this machine, and how to mend what does not",
    .description =
        "Looks for the programs of others that some commands start (Chromium and its driver, adb, "
        "dot, Java, the PostgreSQL client) and their versions, for connected phones and their "
        "state, and says which kinds of devices work here. Every problem comes with the one "
        "command that mends it.\n\n"
        "With --device, that device is tried end to end, and what it can measure is listed.\n\n"
        "Exit code 0 when everything works (with --device: when the device does), 1 when not.",
    .example = "tactus doctor --device sim:examples/apps/player.json",
    .options = doctor_options,
    .documents = DOCUMENTS(&answer_described),
    .common = HAS_JSON | HAS_OUTPUT,
    .drives_devices = true,
    .run = doctor_run,
};
