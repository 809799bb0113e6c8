/* Rule sets written by chance, and lists compared without their order: see rules_reference.h. */
#include "base/data/random.h"
#include "base/data/str.h"
#include "rules_reference.h"
#include <stdlib.h>
#include <string.h>

static void random_predicate(tac_random *random, tac_str *out, uint32_t variables, uint32_t rules)
{
    uint64_t terms = 1 + tac_random_below(random, 3);
    for (uint64_t i = 0; i < terms; i++) {
        if (i)
            tac_str_add(out, tac_random_below(random, 2) ? " and " : " or ");
        if (tac_random_below(random, 2))
            tac_str_add(out, "not ");
        if (rules && tac_random_below(random, 8) == 0)
            tac_str_addf(out, "r%u", (unsigned)tac_random_below(random, rules));
        else
            tac_str_addf(out, "v%u", (unsigned)tac_random_below(random, variables));
    }
}

char *random_rules(uint64_t seed, bool constraints, bool actions, bool equal_priorities)
{
    tac_random random;
    tac_str out = {0};
    tac_random_seed(&random, seed);
    uint32_t variables = 2 + (uint32_t)tac_random_below(&random, 4);
    uint32_t states = 2 + (uint32_t)tac_random_below(&random, 4);
    uint32_t rules = states + (uint32_t)tac_random_below(&random, 6);
    for (uint32_t v = 0; v < variables; v++)
        tac_str_addf(&out, "group G%u: v%u%s\n", v % 3, v,
                     tac_random_below(&random, 5) ? "" : " monotone falling");
    for (uint32_t s = 0; s < states; s++)
        tac_str_addf(&out, "state s%u%s\n", s, s ? "" : " initial");
    for (uint64_t i = constraints ? 1 + tac_random_below(&random, 2) : 0; i > 0; i--) {
        tac_str_addf(&out, "constraint v%u or ", (unsigned)tac_random_below(&random, variables));
        random_predicate(&random, &out, variables, 0);
        tac_str_add(&out, "\n");
    }
    for (uint32_t r = 0; r < rules; r++) {
        uint32_t from = (uint32_t)tac_random_below(&random, states);
        tac_str_addf(&out, "rule r%u: s%u", r, from);
        if (tac_random_below(&random, 4) == 0)
            tac_str_addf(&out, ", s%u", (from + 1) % states);
        tac_str_addf(&out, " -> s%u when ", (unsigned)tac_random_below(&random, states));
        random_predicate(&random, &out, variables, r);
        if (tac_random_below(&random, 6))
            tac_str_addf(&out, " priority %u",
                         equal_priorities ? (unsigned)tac_random_below(&random, 3) : r);
        if (actions && tac_random_below(&random, 3) == 0)
            tac_str_addf(&out, " do v%u=%s", (unsigned)tac_random_below(&random, variables),
                         tac_random_below(&random, 2) ? "on" : "off");
        tac_str_add(&out, "\n");
    }
    tac_str_addf(&out, "expect s%u when v0\n", (unsigned)tac_random_below(&random, states));
    return tac_str_take(&out);
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

char *sorted_text(const json_t *array)
{
    size_t count = json_array_size(array);
    char **lines = calloc(count + 1, sizeof *lines);
    tac_str out = {0};
    for (size_t i = 0; i < count; i++)
        lines[i] = json_dumps(json_array_get(array, i), JSON_ENCODE_ANY | JSON_SORT_KEYS);
    qsort(lines, count, sizeof *lines, by_text);
    for (size_t i = 0; i < count; i++) {
        tac_str_addf(&out, "%s\n", lines[i]);
        free(lines[i]);
    }
    free(lines);
    if (!out.text)
        tac_str_add(&out, "");
    return tac_str_take(&out);
}

void drop_witnesses(json_t *document)
{
    static const char *const keys[] = {"cycle_exists", "cycle_witness", "race_exists",
                                       "race_witness", "race_or_cycle"};
    const char *name;
    json_t *state;
    json_object_foreach(json_object_get(document, "states"), name,
                        state) for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        json_object_del(state, keys[i]);
}
