/* Choosing actions and texts; see choose.h. */
#include "run/actions/choose.h"
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/str.h"
#include "base/data/text.h"

static uint64_t key_of(uint64_t screen, size_t action)
{
    return tac_hash_u64(screen + 0x9e3779b97f4a7c15u * (action + 1));
}

size_t choose_action(const struct action_file *file, const bool *enabled, enum action_choice how,
                     uint64_t screen, struct action_counts *counts, tac_random *random)
{
    uint64_t least = UINT64_MAX;
    double total = 0;
    for (size_t i = 0; i < file->actions.count && how == CHOOSE_NOVELTY; i++) {
        const uint64_t *done = tac_u64map_find(&counts->done, key_of(screen, i));
        uint64_t times = done ? *done : 0;
        least = enabled[i] && times < least ? times : least;
    }
    size_t chosen = SIZE_MAX;
    for (size_t i = 0; i < file->actions.count; i++) {
        const uint64_t *done = tac_u64map_find(&counts->done, key_of(screen, i));
        if (!enabled[i] || (how == CHOOSE_NOVELTY && (done ? *done : 0) > least))
            continue;
        double weight = how == CHOOSE_UNIFORM ? 1 : file->actions.at[i].weight;
        total += weight;
        if (tac_random_unit(random) * total < weight) /* each is the chosen one by its share */
            chosen = i;
    }
    if (chosen != SIZE_MAX)
        ++*tac_u64map_at(&counts->done, key_of(screen, chosen), 0, NULL);
    assert(chosen == SIZE_MAX || enabled[chosen]);
    return chosen;
}

char *random_text(tac_random *random)
{
    static const char *const pieces[] = {"a",
                                         "b",
                                         "c",
                                         "e",
                                         "i",
                                         "m",
                                         "n",
                                         "o",
                                         "s",
                                         "t",
                                         "x",
                                         "z",
                                         "A",
                                         "Z",
                                         "0",
                                         "1",
                                         "7",
                                         "9",
                                         " ",
                                         " ",
                                         " ",
                                         ".",
                                         ",",
                                         "-",
                                         "_",
                                         "'",
                                         "\"",
                                         "<",
                                         ">",
                                         "&",
                                         "%",
                                         "\\",
                                         "/",
                                         "\xc3\xa9",
                                         "\xc3\x9f",
                                         "\xc3\xb1",
                                         "#",
                                         ";",
                                         "\xe6\xbc\xa2",
                                         "\xf0\x9f\x98\x80"};
    tac_str text = {0};
    uint64_t length = tac_random_below(random, 13);
    for (uint64_t i = 0; i < length; i++)
        tac_str_add(&text, pieces[tac_random_below(random, sizeof pieces / sizeof *pieces)]);
    if (tac_ends_with(tac_str_text(&text), "\\n")) /* these two are the Enter key to a device */
        text.text[--text.length] = '\0';
    return text.length ? tac_str_take(&text) : tac_strdup("");
}

char *random_number(tac_random *random)
{
    static const char *const edges[] = {"0", "1", "-1", "2147483647", "2147483648", "1e9"};
    switch (tac_random_below(random, 4)) {
    case 0:
        return tac_strdup(edges[tac_random_below(random, sizeof edges / sizeof *edges)]);
    case 1:
        return tac_format("%.2f", tac_random_unit(random) * 1000);
    default:
        return tac_format("%d", (int)tac_random_below(random, 111) - 10);
    }
}
