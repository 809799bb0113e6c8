/* tactus worker ADDRESS[#CAMPAIGN] */
#include "base/print/print.h"
#include "cli/device_list.h"
#include "cli/device_options.h"
#include "cli/store_io.h"
#include "run/campaign/described.h"

static const struct option worker_options[] = {
    TEXT("device", "[NAME=]URI",
         "what to drive, such as adb:all or webdriver+http://127.0.0.1:4444; with NAME the model's "
         "device that it plays; repeatable",
         .meaning = "what runs the app", .required = true),
    DEVICE_PARALLEL,
    CAMPAIGN_LEASE,
    CAMPAIGN_PATIENCE,
    CAMPAIGN_DURABLE,
    {0},
};

static const char *runs_word(int64_t count)
{
    return count == 1 ? "run" : "runs";
}

static void write_work(FILE *out, void *context)
{
    const tac_run_work *work = context;
    for (size_t i = 0; i < work->campaign_count; i++) {
        const tac_run_worked *row = &work->campaigns[i];
        tac_print(out, "%s: ", row->campaign);
        if (row->refused)
            tac_print(out, "not for these devices: %s", row->refused);
        else
            tac_print(out, "%lld %s done", (long long)row->done, runs_word(row->done));
        if (row->late)
            tac_print(out, ", %lld late and not kept", (long long)row->late);
        if (row->left)
            tac_print(out, ", %lld left that failed; 'tactus run' with its options tries again",
                      (long long)row->left);
        fputc('\n', out);
        for (size_t k = 0; k < row->lost_count; k++)
            tac_print(out, "  %s went away after %lld %s: %s\n", row->lost[k].device,
                      (long long)row->lost[k].after, runs_word(row->lost[k].after),
                      row->lost[k].message);
    }
    if (!work->campaign_count)
        fputs("nothing to do\n", out);
}

/* Every campaign that has runs left was refused. */
static bool none_fits(const tac_run_work *work)
{
    bool any = false;
    for (size_t i = 0; i < work->campaign_count; i++)
        any |= !work->campaigns[i].refused;
    return work->campaign_count && !any;
}

static bool leaves_runs(const tac_run_work *work)
{
    bool any = false;
    for (size_t i = 0; i < work->campaign_count; i++)
        any |= work->campaigns[i].left > 0;
    return any;
}

static int worker_run(struct invocation *in)
{
    struct device_list devices = {.count = 0};
    if (!read_devices(in, &devices))
        return fail_usage(in, "at most %d devices", (int)MOST_DEVICES);
    tac_run_options options = {.devices = devices.at,
                               .device_count = devices.count,
                               .folder = in->args[0],
                               .parallel = (uint32_t)option_number(in, "parallel", 1),
                               .lease = option_real(in, "lease", 60),
                               .patience = option_real(in, "patience", 300),
                               .durable = option_flag(in, "durable"),
                               .note = note_database,
                               .watch = in->watch};
    for (size_t i = 0; i < devices.count; i++)
        note_sandbox(in, devices.at[i].uri);
    tac_run_work *work;
    tac_error err;
    tac_status status = tac_run_worker(&options, &work, &err);
    int code = status == TAC_OK ? 0 : fail(in, &err);
    in->stop_is_end = true; /* what is finished is handed in and told */
    if (!work)
        return code;
    if (!code && none_fits(work))
        code = tac_exit_code(TAC_E_INPUT, TAC_INCONCLUSIVE);
    else if (!code && leaves_runs(work))
        code = tac_exit_code(TAC_OK, TAC_INCONCLUSIVE);
    if (in->json)
        code = finish_json(in, tac_run_work_json(work), code);
    else
        code = finish_text(in, write_work, work, code);
    tac_run_work_free(work);
    return code;
}

const struct command cmd_worker = {
    .noun = "worker",
    .group = GROUP_CAMPAIGNS,
    .args = "ADDRESS[#CAMPAIGN]",
    .summary = "work on campaigns that are planned in a database",
    .description =
        "Takes runs of a campaign in a PostgreSQL database, postgresql://USER@HOST/DB#CAMPAIGN, "
        "that 'tactus run'\nplanned, does them on its devices and hands them in; without #CAMPAIGN "
        "of every campaign that fits the\ndevices. Any number of workers on any number of hosts "
        "share the runs; they may come, go and be killed.\nEnds when nothing is left to do, also "
        "not for others; with exit code 3 when runs failed too often\nand are left.\n\nWhat a run "
        "is comes from the plan; a worker whose app file or device is another than the plan's "
        "refuses\nto work and says what differs. While the database is away, a worker keeps what "
        "it has finished and tries\nagain. Passwords come by libpq's own ways (~/.pgpass, a "
        "service file, PGPASSWORD), never by the address.",
    .example = "tactus worker postgresql://lab@db.example/tactus#nightly --device "
               "sim:examples/apps/player.json --patience 1 || true",
    .options = worker_options,
    .documents = DOCUMENTS(&run_work_described),
    .common = HAS_JSON | HAS_OUTPUT,
    .drives_devices = true,
    .run = worker_run,
};
