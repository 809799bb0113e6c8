/* Looking through a store and telling what was found. See store_io.h. */
#include "cli/store_io.h"
#include "base/data/alloc.h"
#include "base/data/text.h"
#include "base/io/json.h"
#include "base/io/scratch.h"
#include <inttypes.h>
#include <string.h>

struct look {
    const char *folder;
    bool repair;
    json_t *damaged;
    tac_store_check count;
};

static void keep_damage(void *context, const tac_store_damage *damage)
{
    struct look *look = context;
    json_array_append_new(look->damaged,
                          json_pack("{s:o,s:I,s:o,s:o}", "table", tac_json_string(damage->table),
                                    "row", (json_int_t)damage->row, "file",
                                    tac_json_string(damage->file), "what",
                                    tac_json_string(damage->what)));
}

static const char *text_in(const json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

static void write_look(FILE *out, void *context)
{
    const struct look *look = context;
    size_t i;
    const json_t *row;
    json_array_foreach(look->damaged, i, row)
    {
        long long number = (long long)json_integer_value(json_object_get(row, "row"));
        if (!strcmp(text_in(row, "table"), "trace"))
            fprintf(out, "%s: run %lld: %s\n", text_in(row, "file"), number, text_in(row, "what"));
        else
            fprintf(out, "%s: row %lld of the table '%s' is damaged: %s\n", text_in(row, "file"),
                    number, text_in(row, "table"), text_in(row, "what"));
    }
    const tac_store_check *count = &look->count;
    fprintf(out, "%s: %" PRId64 " %s, %" PRId64 " %s, %" PRId64 " %s; ", look->folder, count->runs,
            count->runs == 1 ? "run" : "runs", count->traces,
            count->traces == 1 ? "trace" : "traces", count->verdicts,
            count->verdicts == 1 ? "verdict" : "verdicts");
    if (!count->damaged)
        fputs("nothing is damaged\n", out);
    else if (look->repair)
        fprintf(out, "%" PRId64 " damaged, set aside; 'tactus run' does their runs again\n",
                count->damaged);
    else
        fprintf(out, "%" PRId64 " damaged; 'tactus store repair %s' sets them aside\n",
                count->damaged, look->folder);
}

static json_t *look_json(const struct look *look)
{
    const tac_store_check *count = &look->count;
    return json_pack("{s:o,s:I,s:I,s:I,s:I,s:O,s:I}", "folder", tac_json_string(look->folder),
                     "runs", (json_int_t)count->runs, "traces", (json_int_t)count->traces,
                     "verdicts", (json_int_t)count->verdicts, "documents",
                     (json_int_t)count->documents, "damaged", look->damaged, "set_aside",
                     (json_int_t)count->set_aside);
}

int store_look(struct invocation *in, bool repair)
{
    struct look look = {.folder = in->args[0], .repair = repair, .damaged = json_array()};
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
        code = finish_json(in, look_json(&look), code);
    else
        code = finish_text(in, write_look, &look, code);
    json_decref(look.damaged);
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
    fprintf(stderr, "tactus: %s\n", text);
}

void advise_repair(const tac_error *err, const char *folder)
{
    if (err->status == TAC_E_INPUT && tac_ends_with(err->file, "/index.sqlite"))
        fprintf(stderr, "tactus: 'tactus store repair %s' sets damaged rows aside\n", folder);
}
