/* tactus doctor [--device URI]: what works here, and the one command that mends what does not. */
#include "base/check.h"
#include "base/io/json.h"
#include "cli/command.h"
#include "cli/device_options.h"
#include "cli/doctor.h"
#include "tactus/version.h"
#include <math.h>
#include <string.h>

struct doctor_answer {
    const struct doctor *doctor;
    const char *uri; /* NULL: no device was tried */
    bool works;
};

static void write_item(FILE *out, const struct doctor_item *item)
{
    fprintf(out, "  %-8s %-13s", item->works ? "works" : "PROBLEM", item->name);
    if (item->works)
        fprintf(out, " %s%s%s\n", item->found, *item->found && *item->use ? "; " : "", item->use);
    else
        fprintf(out, " %s%s%s\n           mend it: %s\n", item->found, *item->found ? ": " : "",
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
            fprintf(out, "%s\n", heading);
        any = true;
        write_item(out, &d->items.at[i]);
    }
}

static void write_answer(FILE *out, void *context)
{
    const struct doctor_answer *answer = context;
    const struct doctor *d = answer->doctor;
    fprintf(out, "tactus %s\n", TACTUS_VERSION);
    write_kind(out, d, DOCTOR_PROGRAM, "programs");
    write_kind(out, d, DOCTOR_DEVICE, "kinds of devices");
    write_kind(out, d, DOCTOR_PHONE, "phones");
    if (answer->uri) {
        fprintf(out, "%s\n", answer->uri);
        write_kind(out, d, DOCTOR_STEP, "tried");
    }
    for (size_t i = 0; i < d->measures.count; i++) {
        const struct doctor_measure *at = &d->measures.at[i];
        if (isnan(at->value))
            fprintf(out, "  measures %-13s %s, not now\n", at->name, at->unit);
        else
            fprintf(out, "  measures %-13s %s, now %.6g\n", at->name, at->unit, at->value);
    }
    fprintf(out, "%s\n", answer->works ? "everything works" : "not everything works");
}

static json_t *items_json(const struct doctor *d, enum doctor_kind kind, const char *found,
                          const char *use)
{
    json_t *list = json_array();
    for (size_t i = 0; i < d->items.count; i++) {
        const struct doctor_item *item = &d->items.at[i];
        if (item->kind != kind)
            continue;
        json_t *object = json_object();
        json_object_set_new(object, "name", tac_json_string(item->name));
        json_object_set_new(object, "works", json_boolean(item->works));
        json_object_set_new(object, found, tac_json_string(item->found));
        if (use)
            json_object_set_new(object, use, tac_json_string(item->use));
        json_object_set_new(object, "problem",
                            item->works ? json_null() : tac_json_string(item->problem));
        json_object_set_new(object, "remedy",
                            *item->remedy ? tac_json_string(item->remedy) : json_null());
        json_array_append_new(list, object);
    }
    return list;
}

static json_t *device_json(const struct doctor_answer *answer)
{
    const struct doctor *d = answer->doctor;
    json_t *measures = json_array();
    if (!answer->uri) {
        json_decref(measures);
        return json_null();
    }
    for (size_t i = 0; i < d->measures.count; i++)
        json_array_append_new(measures, json_pack("{s:o,s:o,s:o}", "name",
                                                  tac_json_string(d->measures.at[i].name), "unit",
                                                  tac_json_string(d->measures.at[i].unit), "value",
                                                  tac_json_number(d->measures.at[i].value)));
    json_t *clock = d->has_clock ? json_pack("{s:f,s:f}", "offset", d->clock_offset, "uncertainty",
                                             d->clock_uncertainty)
                                 : json_null();
    return json_pack("{s:o,s:b,s:o,s:o,s:o}", "uri", tac_json_string(answer->uri), "works",
                     answer->works, "steps", items_json(d, DOCTOR_STEP, "found", NULL), "measures",
                     measures, "clock", clock);
}

static json_t *problems_json(const struct doctor *d)
{
    static const char *const kinds[] = {[DOCTOR_PROGRAM] = "program",
                                        [DOCTOR_DEVICE] = "device",
                                        [DOCTOR_PHONE] = "phone",
                                        [DOCTOR_STEP] = "step"};
    TABLE_COVERS(kinds, DOCTOR_STEP);
    json_t *list = json_array();
    for (size_t i = 0; i < d->items.count; i++) {
        const struct doctor_item *item = &d->items.at[i];
        if (!item->works)
            json_array_append_new(
                list,
                json_pack("{s:s,s:o,s:o,s:o}", "kind", kinds[item->kind], "name",
                          tac_json_string(item->name), "problem", tac_json_string(item->problem),
                          "remedy", *item->remedy ? tac_json_string(item->remedy) : json_null()));
    }
    return list;
}

static json_t *answer_json(const struct doctor_answer *answer)
{
    const struct doctor *d = answer->doctor;
    return json_pack("{s:s,s:b,s:o,s:o,s:o,s:o,s:o}", "version", TACTUS_VERSION, "works",
                     answer->works, "programs", items_json(d, DOCTOR_PROGRAM, "version", "use"),
                     "devices", items_json(d, DOCTOR_DEVICE, "found", "use"), "phones",
                     items_json(d, DOCTOR_PHONE, "state", "model"), "device", device_json(answer),
                     "problems", problems_json(d));
}

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
    code = in->json ? finish_json(in, answer_json(&answer), code)
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
    .common = HAS_JSON | HAS_OUTPUT,
    .drives_devices = true,
    .run = doctor_run,
};
