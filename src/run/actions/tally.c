/* Counting what actions came to; see tally.h. */
#include "run/actions/tally.h"
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/text.h"
#include "base/data/visible.h"
#include "base/io/json.h"
#include <string.h>

enum { LONGEST_REASON = 300, LONGEST_STEP = 120 };

void action_tally_start(struct action_tally *tally, const struct action_file *file)
{
    *tally = (struct action_tally){.file = file};
    tally->counts = tac_calloc(file->actions.count + 1, sizeof *tally->counts);
    for (size_t i = 0; i < file->actions.count; i++)
        tally->counts[i].abandoned_at =
            tac_calloc(file->actions.at[i].step_count + 1, sizeof *tally->counts[i].abandoned_at);
}

void action_tally_free(struct action_tally *tally)
{
    for (size_t i = 0; tally->counts && i < tally->file->actions.count; i++) {
        free(tally->counts[i].abandoned_at);
        free(tally->counts[i].reason);
    }
    free(tally->counts);
    *tally = (struct action_tally){0};
}

/* Of a message, as much as a reader needs. */
static char *shortened(const char *text, size_t most)
{
    size_t length = strlen(text);
    if (length <= most)
        return tac_strdup(text);
    while (most && !tac_utf8_valid(text, most)) /* no half of a character */
        most--;
    return tac_format("%.*s...", (int)most, text);
}

static void keep_reason(struct action_count *count, const char *reason)
{
    char *shown = tac_visible(reason);
    free(count->reason);
    count->reason = shortened(shown, LONGEST_REASON);
    free(shown);
}

void action_tally_look(struct action_tally *tally, const bool *enabled)
{
    tally->looks++;
    for (size_t i = 0; i < tally->file->actions.count; i++)
        tally->counts[i].enabled += enabled[i];
}

void action_tally_try(struct action_tally *tally, size_t action, size_t abandoned, bool rests,
                      const char *reason)
{
    assert(action < tally->file->actions.count);
    assert(abandoned <= tally->file->actions.at[action].step_count);
    struct action_count *count = &tally->counts[action];
    count->chosen++;
    count->unrested += !abandoned && !rests;
    if (!abandoned)
        return;
    count->abandoned++;
    count->abandoned_at[abandoned - 1]++;
    keep_reason(count, reason);
}

/* --- What a run leaves ------------------------------------------------------------------------ */

static json_t *count_json(const struct guarded_action *action, const struct action_count *count)
{
    json_t *row =
        json_pack("{s:o,s:I,s:I,s:I,s:I}", "action", tac_json_string(action->name), "enabled",
                  (json_int_t)count->enabled, "chosen", (json_int_t)count->chosen, "abandoned",
                  (json_int_t)count->abandoned, "unrested", (json_int_t)count->unrested);
    if (!count->abandoned)
        return row;
    json_t *steps = json_object();
    for (size_t i = 0; i < action->step_count; i++) {
        char number[24];
        snprintf(number, sizeof number, "%zu", i + 1);
        if (count->abandoned_at[i])
            json_object_set_new(steps, number, json_integer((json_int_t)count->abandoned_at[i]));
    }
    json_object_set_new(row, "steps", steps);
    json_object_set_new(row, "reason", tac_json_string(count->reason ? count->reason : ""));
    return row;
}

json_t *action_tally_json(const struct action_tally *tally)
{
    json_t *done = json_array();
    for (size_t i = 0; i < tally->file->actions.count; i++)
        if (tally->counts[i].enabled || tally->counts[i].chosen)
            json_array_append_new(done, count_json(&tally->file->actions.at[i], &tally->counts[i]));
    return json_pack("{s:I,s:o}", "looks", (json_int_t)tally->looks, "done", done);
}

static int64_t number_in(const json_t *row, const char *key)
{
    return json_integer_value(json_object_get(row, key));
}

static void add_count(const struct guarded_action *action, struct action_count *count,
                      const json_t *row)
{
    count->enabled += number_in(row, "enabled");
    count->chosen += number_in(row, "chosen");
    count->abandoned += number_in(row, "abandoned");
    count->unrested += number_in(row, "unrested");
    const char *step, *reason = json_string_value(json_object_get(row, "reason"));
    json_t *times;
    json_object_foreach(json_object_get(row, "steps"), step, times)
    {
        uint64_t number;
        if (tac_parse_u64(step, &number) && number > 0 && number <= action->step_count)
            count->abandoned_at[number - 1] += json_integer_value(times);
    }
    if (reason)
        keep_reason(count, reason);
}

void action_tally_add(struct action_tally *tally, const json_t *left)
{
    size_t at;
    const json_t *row;
    tally->looks += number_in(left, "looks");
    json_array_foreach(json_object_get(left, "done"), at, row)
    {
        const char *name = json_string_value(json_object_get(row, "action"));
        for (size_t i = 0; name && i < tally->file->actions.count; i++)
            if (!strcmp(tally->file->actions.at[i].name, name))
                add_count(&tally->file->actions.at[i], &tally->counts[i], row);
    }
}

/* --- What a campaign tells -------------------------------------------------------------------- */

/* A step on one line, as far as it fits. */
static const char *one_line(tac_arena *arena, const char *written)
{
    char *text = tac_strdup(written), *end = text;
    for (const char *c = written; *c; c++) {
        bool blank = *c == ' ' || *c == '\t' || *c == '\r' || *c == '\n';
        if (!blank || (end > text && end[-1] != ' '))
            *end++ = blank ? ' ' : *c;
    }
    *end = '\0';
    char *fits = shortened(text, LONGEST_STEP), *shown = tac_visible(fits);
    const char *kept = tac_arena_strdup(arena, shown);
    free(shown);
    free(fits);
    free(text);
    return kept;
}

const tac_run_action *action_tally_rows(const struct action_tally *tally, tac_arena *arena)
{
    size_t count = tally->file->actions.count;
    tac_run_action *rows = tac_arena_calloc(arena, count + 1, sizeof *rows);
    for (size_t i = 0; i < count; i++) {
        const struct guarded_action *action = &tally->file->actions.at[i];
        const struct action_count *from = &tally->counts[i];
        rows[i] =
            (tac_run_action){.action = tac_arena_strdup(arena, action->name),
                             .looks = tally->looks,
                             .enabled = from->enabled,
                             .chosen = from->chosen,
                             .abandoned = from->abandoned,
                             .unrested = from->unrested,
                             .written = "",
                             .reason = tac_arena_strdup(arena, from->reason ? from->reason : "")};
        for (size_t k = 0; k < action->step_count; k++)
            if (from->abandoned_at[k] > rows[i].abandoned_there) {
                rows[i].abandoned_there = from->abandoned_at[k];
                rows[i].step = (int64_t)k + 1;
            }
        if (rows[i].step)
            rows[i].written = one_line(arena, action->steps[rows[i].step - 1].written);
    }
    return rows;
}
