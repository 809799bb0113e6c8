/* Runs that do not rest at once, in words: every cycle and race where all are known, else the
 * shortest one that was found for each state. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "rules/findings/story.h"
#include <string.h>

static void tell_cycle(const struct story *s, const tac_rules_cycle *cycle)
{
    assert(cycle->length > 0);
    tac_str states = {0};
    const char *words = rules_story_inputs(s, &cycle->inputs);
    const char *count = rules_story_count(s, &cycle->inputs.count);
    rules_words_of_states(s->rules, cycle->states, cycle->length, &states);
    rules_write_paragraph(s->out, 2, "In %s, when %s: %s, %s, ... for ever (%s).",
                          rules_story_state(s, cycle->states[0]), words, tac_str_text(&states),
                          rules_story_state(s, cycle->states[0]), count);
    if (cycle->monotone_relevant)
        rules_write_paragraph(
            s->out, 4, "%s",
            cycle->persists ? "What only moves one way (time, say) never ends it: once begun, it "
                              "lasts until something else changes."
                            : "It may end by itself when something that moves one way moves on.");
    tac_str_free(&states);
}

/* --- Where not every way is known: a witness for each state ----------------------------------- */

/* The input that the witness needs, as a cube. */
static const char *witness_words(const struct story *s, const tac_rules_witness *w)
{
    char *cube = tac_arena_calloc(s->memory, (size_t)s->rules->variable_count + 1, 1);
    memset(cube, '*', s->rules->variable_count);
    for (size_t i = 0; i < w->literal_count; i++)
        cube[w->variables[i]] = w->values[i] ? '1' : '0';
    return rules_story_cube(s, cube);
}

static void tell_witness(const struct story *s, const tac_rules_witness *w, bool race)
{
    assert(w->exists == TAC_RULES_YES && w->at_least <= w->length);
    rules_write_paragraph(s->out, 2, "%s%s when %s%s.", rules_story_way(s, w->states, w->length),
                          race ? "" : " -> ... for ever", witness_words(s, w),
                          w->at_least == w->length ? "" : " (perhaps not the shortest)");
}

static const tac_rules_witness *witness_of(const struct story *s, uint32_t state, bool race)
{
    assert(state < s->f->state_count);
    const tac_rules_state_findings *found = &s->f->states[state];
    return race ? &found->race_witness : &found->cycle_witness;
}

/* The next longer witnesses: those of `length` transitions, up to *left of them. Of the states on
 * one cycle only that is told which comes first. */
static void tell_of_length(const struct story *s, bool race, size_t length, size_t *left,
                           bool *told)
{
    for (uint32_t i = 0; i < s->rules->state_count && *left; i++) {
        const tac_rules_witness *w = witness_of(s, i, race);
        if (w->exists != TAC_RULES_YES || w->length != length || told[i])
            continue;
        for (size_t k = 0; k < w->length && !race; k++)
            told[w->states[k]] = true;
        tell_witness(s, w, race);
        --*left;
    }
}

static void tell_witnesses(const struct story *s, bool race)
{
    size_t counts[3] = {0}, longest = 0, states = s->rules->state_count;
    for (uint32_t i = 0; i < states; i++) {
        const tac_rules_witness *w = witness_of(s, i, race);
        counts[w->exists]++;
        if (w->exists == TAC_RULES_YES && w->length > longest)
            longest = w->length;
    }
    if (counts[TAC_RULES_NO] == states || !s->f->witnesses)
        return;
    fprintf(s->out, race ? "\nRaces: several adaptations in a row before the app rests\n"
                         : "\nCycles: the app never comes to rest\n");
    rules_write_paragraph(s->out, 2, "From %zu of %zu states some input leads into %s%s",
                          counts[TAC_RULES_YES], states, race ? "a race" : "a cycle",
                          counts[TAC_RULES_UNKNOWN] ? ";" : ". The shortest first:");
    if (counts[TAC_RULES_UNKNOWN])
        rules_write_paragraph(s->out, 2, "of %zu more it is not known within the budget.",
                              counts[TAC_RULES_UNKNOWN]);
    bool *told = tac_calloc(states + 1, sizeof *told);
    size_t left = s->verbose ? states : SHOWN;
    for (size_t length = 1; length <= longest && left; length++)
        tell_of_length(s, race, length, &left, told);
    *s->shortened = *s->shortened || (!s->verbose && counts[TAC_RULES_YES] > SHOWN);
    free(told);
}

void rules_tell_cycles(const struct story *s)
{
    if (!s->f->cycles_known) {
        tell_witnesses(s, false);
        return;
    }
    if (s->f->cycle_count == 0)
        return;
    fprintf(s->out, "\nCycles: the app never comes to rest\n");
    for (size_t i = 0; i < rules_story_shown(s, s->f->cycle_count); i++)
        tell_cycle(s, &s->f->cycles[i]);
    rules_story_rest(s, s->f->cycle_count);
}

static void tell_race(const struct story *s, const tac_rules_path *path)
{
    rules_write_paragraph(
        s->out, 2, "%s (%s, for example when %s)", rules_story_way(s, path->states, path->length),
        rules_story_count(s, &path->inputs.count), rules_story_inputs(s, &path->inputs));
}

/* The longest ways first, one for each last state. */
static void tell_longest_races(const struct story *s)
{
    bool *told = tac_calloc(s->rules->state_count + 1, sizeof *told);
    for (size_t left = SHOWN; left > 0; left--) {
        const tac_rules_path *best = NULL;
        for (size_t i = 0; i < s->f->path_count; i++) {
            const tac_rules_path *path = &s->f->paths[i];
            if (!path->cycle && !told[path->states[path->length]] &&
                (!best || path->length > best->length))
                best = path;
        }
        if (!best)
            break;
        told[best->states[best->length]] = true;
        tell_race(s, best);
    }
    free(told);
}

void rules_tell_races(const struct story *s)
{
    if (s->f->unstable_count == 0)
        return;
    if (!s->f->paths_known) {
        tell_witnesses(s, true);
        return;
    }
    fprintf(s->out, "\nRaces: several adaptations in a row before the app rests\n");
    if (s->f->race_paths == 0) {
        rules_write_paragraph(s->out, 2, "None: every longer run is one of the cycles above.");
        return;
    }
    rules_write_paragraph(s->out, 2,
                          "%llu different ways. If an input does not last long enough, the app "
                          "stops in between.%s",
                          (unsigned long long)s->f->race_paths,
                          s->verbose ? "" : " The longest, one for each place where it ends:");
    if (s->verbose) {
        for (size_t i = 0; i < s->f->path_count; i++)
            if (!s->f->paths[i].cycle)
                tell_race(s, &s->f->paths[i]);
    } else {
        tell_longest_races(s);
    }
}
