/* Looking through a store and telling what was found. See store_io.h. */
#include "cli/store_io.h"
#include "base/data/alloc.h"
#include "base/data/text.h"
#include "base/data/vec.h"
#include "base/describe/describe.h"
#include "base/keep/scratch.h"
#include "base/print/print.h"
#include <inttypes.h>
#include <string.h>

struct damage {
    char *table, *file, *what;
    int64_t row;
    bool of_trace;
};

struct look {
    const char *folder;
    bool repair;
    bool lost_plan; /* settings are checked for what the plan needs */
    TAC_VEC(struct damage) damaged;
    tac_store_check count;
};

static void keep_damage(void *context, const tac_store_damage *damage)
{
    struct look *look = context;
    look->lost_plan |= !strcmp(damage->table, "setting");
    tac_vec_push(&look->damaged, (struct damage){.table = tac_strdup(damage->table),
                                                 .file = tac_strdup(damage->file),
                                                 .what = tac_strdup(damage->what),
                                                 .row = damage->row,
                                                 .of_trace = !strcmp(damage->table, "trace")});
}

static void write_look(FILE *out, void *context)
{
    const struct look *look = context;
    for (size_t i = 0; i < look->damaged.count; i++) {
        const struct damage *damage = &look->damaged.at[i];
        if (damage->of_trace)
            tac_print(out, "%s: run %" PRId64 ": %s\n", damage->file, damage->row, damage->what);
        else
            tac_print(out, "%s: row %" PRId64 " of the table '%s' is damaged: %s\n", damage->file,
                      damage->row, damage->table, damage->what);
    }
    const tac_store_check *count = &look->count;
    tac_print(out, "%s: %" PRId64 " %s, %" PRId64 " %s, %" PRId64 " %s; ", look->folder,
              count->runs, count->runs == 1 ? "run" : "runs", count->traces,
              count->traces == 1 ? "trace" : "traces", count->verdicts,
              count->verdicts == 1 ? "verdict" : "verdicts");
    if (!count->damaged)
        fputs("nothing is damaged\n", out);
    else if (look->repair)
        tac_print(out, "%" PRId64 " damaged, set aside; %s\n", count->damaged,
                  look->lost_plan ? "its plan is among them: 'tactus run' cannot go on here"
                                  : "'tactus run' does their runs again");
    else
        tac_print(out, "%" PRId64 " damaged; 'tactus store repair %s' sets them aside\n",
                  count->damaged, look->folder);
}

static const struct field damage_fields[] = {FIELDS(struct damage, table, row, file, what)};
static DESCRIBE(damage, struct damage);
static const struct field store_look_fields[] = {
    FIELDS(struct look, folder, count.runs, count.traces, count.verdicts, count.documents),
    FIELD_LIST(struct look, damaged.at, damaged.count, damage_described, .key = "damaged"),
    FIELD(struct look, count.set_aside)};
DESCRIBE(store_look, struct look);

int store_look(struct invocation *in, bool repair)
{
    struct look look = {.folder = in->args[0], .repair = repair};
    const tac_store_check_options options = {
        .found = keep_damage, .context = &look, .watch = in->watch};
    tac_store *store = NULL;
    tac_error err;
    tac_status status =
        tac_store_open_mode(look.folder, repair ? TAC_STORE_WRITE : TAC_STORE_READ, &store, &err);
    if (status == TAC_OK)
        status = repair ? tac_store_repair(store, &options, &look.count, &err)
                        : tac_store_verify(store, &options, &look.count, &err);
    if (status == TAC_OK)
        status = tac_store_close(store, &err);
    else
        tac_store_close(store, NULL);
    bool damaged = look.count.damaged && !repair;
    int code = tac_exit_code(TAC_OK, damaged ? TAC_VIOLATED : TAC_HOLDS);
    if (status != TAC_OK)
        code = fail(in, &err);
    else if (in->json)
        code = finish_json(in, describe_json(&store_look_described, &look), code);
    else
        code = finish_text(in, write_look, &look, code);
    for (size_t i = 0; i < look.damaged.count; i++) {
        free(look.damaged.at[i].table);
        free(look.damaged.at[i].file);
        free(look.damaged.at[i].what);
    }
    tac_vec_free(&look.damaged);
    return code;
}

tac_status local_campaign_open(const struct invocation *in, const char *where,
                               struct local_campaign *out, tac_error *err)
{
    *out = (struct local_campaign){.folder = where};
    if (!tac_store_is_address(where))
        return TAC_OK;
    tac_status status = tac_scratch_make("read", &out->scratch, err);
    if (status != TAC_OK)
        return status;
    const char *name = strchr(where, '#');
    out->own = tac_format("%s/%s", out->scratch, name ? name + 1 : "campaign");
    out->folder = out->own;
    return tac_store_fetch(where, out->folder, in->watch, err);
}

void local_campaign_close(struct local_campaign *campaign)
{
    tac_scratch_remove(campaign->scratch);
    free(campaign->own);
    *campaign = (struct local_campaign){0};
}

void note_database(void *context, const char *text)
{
    (void)context;
    complain("%s", text);
}

void advise_repair(const tac_error *err, const char *folder)
{
    if (err->status == TAC_E_INPUT && tac_ends_with(err->file, "/index.sqlite"))
        complain("'tactus store repair %s' sets damaged rows aside", folder);
}
