/* What two campaigns have in common: runs of the same kind, flow, scenario and device. Where no
 * device is common they are compared over all devices; whatever differs is named. */
#include "base/data/alloc.h"
#include "base/data/map.h"
#include "base/data/str.h"
#include "report/compare.h"
#include <string.h>

struct run_keys {
    tac_names names;
    TAC_VEC(uint32_t) of[2];   /* by run: its key; before, now */
    TAC_VEC(uint32_t) seen[2]; /* by key: runs that have it */
};

static void add_key(struct run_keys *keys, int side, const char *text)
{
    uint32_t key = tac_names_intern(&keys->names, text);
    for (int i = 0; i < 2; i++)
        while (keys->seen[i].count <= key)
            tac_vec_push(&keys->seen[i], 0);
    keys->seen[side].at[key]++;
    tac_vec_push(&keys->of[side], key);
}

static void free_keys(struct run_keys *keys)
{
    tac_names_free(&keys->names);
    for (int i = 0; i < 2; i++) {
        tac_vec_free(&keys->of[i]);
        tac_vec_free(&keys->seen[i]);
    }
}

enum key_part { PART_FLOW = 1, PART_SCENARIO = 2, PART_DEVICE = 4 };

static char *key_of(const struct report_run *run, unsigned parts)
{
    tac_str key = {0};
    if (parts & PART_FLOW)
        tac_str_addf(&key, "%s %lld", run->row.flow < 0 ? run->row.kind : "flow",
                     (long long)(run->row.flow < 0 ? 0 : run->row.flow));
    if (parts & PART_SCENARIO)
        tac_str_addf(&key, "%s%s", key.length ? ", " : "",
                     *run->row.scenario ? run->row.scenario : "no scenario");
    if (parts & PART_DEVICE)
        tac_str_addf(&key, "%s%s", key.length ? ", " : "", *run->device ? run->device : "a device");
    return tac_str_take(&key);
}

static struct run_keys read_keys(const struct gate_sides *sides, unsigned parts)
{
    struct run_keys keys = {0};
    const struct report_campaign *const campaigns[] = {sides->before, sides->now};
    for (int side = 0; side < 2; side++)
        for (size_t i = 0; i < campaigns[side]->runs.count; i++) {
            char *key = key_of(&campaigns[side]->runs.at[i], parts);
            add_key(&keys, side, key);
            free(key);
        }
    return keys;
}

/* Names what only one side has of one part; whether both have something in common. */
static bool name_part(const struct gate_sides *sides, unsigned part, const char *what,
                      struct gate_report *out)
{
    struct run_keys keys = read_keys(sides, part);
    bool common = false;
    for (int side = 0; side < 2; side++) {
        tac_str list = {0};
        size_t count = 0;
        for (uint32_t k = 0; k < keys.names.count; k++) {
            bool alone = keys.seen[side].at[k] && !keys.seen[!side].at[k];
            common |= keys.seen[side].at[k] && keys.seen[!side].at[k];
            if (alone && count++ < 5)
                tac_str_addf(&list, "%s%s", list.length ? ", " : "", keys.names.text[k]);
        }
        if (count)
            tac_vec_push(&out->differences,
                         tac_arena_format(&out->texts, "%s has runs of the %s%s %s%s.",
                                          side ? "Only this campaign" : "Only the baseline", what,
                                          count > 1 ? "s" : "", tac_str_text(&list),
                                          count > 5 ? " and others" : ""));
        tac_str_free(&list);
    }
    free_keys(&keys);
    return common;
}

static json_t *plan_of(const struct report_campaign *campaign)
{
    char *text = NULL;
    tac_error ignored; /* a store of long ago has none */
    if (tac_store_get(campaign->store, "plan", &text, &ignored) != TAC_OK)
        return NULL;
    json_t *plan = text ? json_loads(text, 0, NULL) : NULL;
    free(text);
    return plan;
}

static char *shown(const json_t *value)
{
    char *text = value && !json_is_array(value) && !json_is_object(value)
                     ? json_dumps(value, JSON_ENCODE_ANY)
                     : NULL;
    char *copy = tac_strdup(text && strlen(text) < 40 ? text : value ? "another" : "none");
    free(text);
    return copy;
}

/* Settings of the campaigns that change what a run is. */
static void name_settings(const struct gate_sides *sides, struct gate_report *out)
{
    static const char *const others[] = {"devices",  "runs",     "repeat",        "seed",
                                         "monkey",   "version",  "scenarios",     "properties",
                                         "model",    "members",  "teams",         "lease",
                                         "patience", "parallel", "property_file", "model_file"};
    json_t *now = plan_of(sides->now), *before = plan_of(sides->before), *all = json_object();
    const char *key;
    json_t *value;
    if (now && before) {
        json_object_update(all, before);
        json_object_update(all, now);
    }
    json_object_foreach(all, key, value)
    {
        const json_t *a = json_object_get(before, key), *b = json_object_get(now, key);
        bool skip = a && b && json_equal(a, b);
        for (size_t i = 0; i < sizeof others / sizeof *others; i++)
            skip |= !strcmp(key, others[i]);
        if (skip)
            continue;
        char *was = shown(a), *is = shown(b);
        bool told = strcmp(is, was) != 0;
        tac_vec_push(&out->differences,
                     tac_arena_format(&out->texts, "'%s' of the campaigns differs%s%s%s%s.", key,
                                      told ? ": " : "", told ? is : "",
                                      told ? ", in the baseline " : "", told ? was : ""));
        free(was);
        free(is);
    }
    json_decref(all);
    json_decref(now);
    json_decref(before);
}

uint32_t *gate_strata(const struct gate_sides *sides, bool now, struct gate_report *out)
{
    struct gate_report named = {0};
    unsigned parts = PART_FLOW | PART_SCENARIO;
    struct gate_report *into = now ? out : &named; /* differences are named once */
    name_settings(sides, into);
    name_part(sides, PART_FLOW, "flow", into);
    name_part(sides, PART_SCENARIO, "scenario", into);
    if (name_part(sides, PART_DEVICE, "device", into))
        parts |= PART_DEVICE;
    gate_report_free(&named);
    struct run_keys keys = read_keys(sides, parts);
    size_t count = keys.of[now].count;
    uint32_t *strata = tac_calloc(count + 1, sizeof *strata);
    out->runs[now] = count;
    for (size_t i = 0; i < count; i++) {
        uint32_t key = keys.of[now].at[i];
        bool common = keys.seen[0].at[key] && keys.seen[1].at[key];
        strata[i] = common ? key : UINT32_MAX;
        out->common[now] += common;
    }
    free_keys(&keys);
    return strata;
}
