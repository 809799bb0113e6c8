/* The runs of a campaign as scripts, with the places that they passed.
 *
 * A random run's trace says what was done where ("performed"). A run of a flow passes the states
 * that its flow names, one per device; together they are the place. */
#include "base/data/alloc.h"
#include "base/data/str.h"
#include "base/io/json.h"
#include "reproduce/source.h"

/* --- random runs --- */

/* The acts of one trace, read as a flow; numbers[i] of act i. */
static tac_status number_acts(const struct source_run *run, struct step_table *steps,
                              struct script *numbers, tac_error *err)
{
    json_t *line =
        json_pack("{s:s,s:O}", "kind", "witness", "steps", json_object_get(run->performed, "acts"));
    char *text = line ? tac_json_text(line, JSON_COMPACT) : tac_strdup("null");
    tac_flow_file *file = tac_flow_file_of_text(run->trace, text, strlen(text));
    const tac_flow *flow = NULL;
    tac_status status = tac_flow_file_next(file, &flow, err);
    for (size_t i = 0; status == TAC_OK && i < flow->step_count; i++)
        tac_vec_push(numbers, steps_number(steps, &flow->steps[i]));
    tac_flow_file_close(file);
    free(text);
    json_decref(line);
    return status;
}

static uint32_t place_number(struct places *places, const json_t *names, json_int_t index)
{
    const char *name = index >= 0 ? json_string_value(json_array_get(names, (size_t)index)) : NULL;
    return name && *name ? tac_names_intern(&places->names, name) : TAC_NONE;
}

static tac_status trail_of_random(struct source_run *run, struct step_table *steps,
                                  struct places *places, tac_error *err)
{
    const json_t *names = json_object_get(run->performed, "places");
    const json_t *list = json_object_get(run->performed, "steps"), *pair;
    struct script numbers = {0};
    tac_status status = number_acts(run, steps, &numbers, err);
    size_t i;
    json_array_foreach(list, i, pair)
    {
        json_int_t act = json_integer_value(json_array_get(pair, 1));
        if (status == TAC_OK && (act < 0 || (size_t)act >= numbers.count))
            status = tac_fail_at(err, TAC_E_INPUT, run->trace, 0, 0,
                                 "what was performed names an act that is not listed");
        if (status != TAC_OK)
            break;
        tac_vec_push(&run->trail.at,
                     place_number(places, names, json_integer_value(json_array_get(pair, 0))));
        tac_vec_push(&run->trail.script, numbers.at[act]);
    }
    tac_vec_push(
        &run->trail.at,
        place_number(places, names, json_integer_value(json_object_get(run->performed, "end"))));
    tac_vec_free(&numbers);
    return status;
}

/* --- flows --- */

/* Where every device is, as one text. */
struct standing {
    tac_names devices;
    TAC_VEC(const char *) states;
};

static void stand(struct standing *standing, const char *device, const char *const *states,
                  size_t count)
{
    uint32_t id = tac_names_intern(&standing->devices, device);
    while (standing->states.count <= id)
        tac_vec_push(&standing->states, "");
    if (count)
        standing->states.at[id] = states[count - 1];
}

static uint32_t standing_place(const struct standing *standing, struct places *places)
{
    tac_str name = {0};
    for (size_t i = 0; i < standing->states.count; i++)
        tac_str_addf(&name, "%s%s", i ? " | " : "", standing->states.at[i]);
    uint32_t place = name.length ? tac_names_intern(&places->names, tac_str_text(&name)) : TAC_NONE;
    tac_str_free(&name);
    return place;
}

static void trail_of_flow(const tac_flow *flow, struct source_run *run, struct step_table *steps,
                          struct places *places)
{
    struct standing standing = {0};
    for (size_t i = 0; i < flow->start_count; i++)
        stand(&standing, flow->starts[i].device, flow->starts[i].states,
              flow->starts[i].state_count);
    tac_vec_push(&run->trail.at, standing_place(&standing, places));
    for (size_t i = 0; i < flow->step_count; i++) {
        const tac_flow_step *step = &flow->steps[i];
        tac_vec_push(&run->trail.script, steps_number(steps, step));
        stand(&standing, step->device, step->states, step->state_count);
        /* a flow that does not say where it leads: every place beyond is unknown */
        tac_vec_push(&run->trail.at,
                     step->state_count ? standing_place(&standing, places) : TAC_NONE);
    }
    tac_names_free(&standing.devices);
    tac_vec_free(&standing.states);
}

/* Every move that was made; the last of a run that failed led nowhere. */
static void add_moves(const struct source_run *run, bool random, struct places *places)
{
    size_t moves = run->trail.script.count;
    bool failed = run->end == TAC_STORED_CRASH || run->end == TAC_STORED_FAIL;
    if (!random && failed && run->steps < moves)
        moves = run->steps;
    if (failed && moves && (random || run->end == TAC_STORED_CRASH))
        moves--;
    for (size_t i = 0; i < moves; i++)
        if (run->trail.at.at[i] != TAC_NONE && run->trail.at.at[i + 1] != TAC_NONE)
            places_add(places, run->trail.at.at[i], run->trail.script.at[i],
                       run->trail.at.at[i + 1]);
}

tac_status source_trails(struct source *source, struct step_table *steps, struct places *places,
                         tac_error *err)
{
    tac_status status = TAC_OK;
    places->start = TAC_NONE;
    for (size_t i = 0; i < source->runs.count && status == TAC_OK; i++) {
        struct source_run *run = &source->runs.at[i];
        if (source->random && run->performed)
            status = trail_of_random(run, steps, places, err);
        else if (!source->random)
            trail_of_flow(&source->flows.flows.at[run->flow], run, steps, places);
        if (status != TAC_OK || !run->trail.at.count)
            continue;
        if (places->start == TAC_NONE)
            places->start = run->trail.at.at[0];
        add_moves(run, source->random, places);
    }
    if (status == TAC_OK)
        places_finish(places);
    return status;
}
