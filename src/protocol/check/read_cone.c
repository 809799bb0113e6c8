/* A cone of a certificate, as the document gives it: the messages that it tracks, its targets and
 * its machines. Everything that counts or names something is checked here, so that the other parts
 * may index by it; whether the cone is true is theirs. Cost: linear in the cone but for the letters
 * of a machine, which are compared with each other. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "protocol/check/check_certificate.h"

/* The letter that a text names, or TAC_NONE after rejecting. */
static uint32_t letter_named(struct checker *c, const json_t *text)
{
    const char *name = json_string_value(text);
    uint32_t number = name ? tac_names_find(&c->texts, name) : TAC_NONE;
    if (number == TAC_NONE) {
        check_reject(c, "the recording has no message %s", name ? name : "(not a text)");
        return TAC_NONE;
    }
    assert(number < c->recording->letters.count);
    return number;
}

static bool small_integer(const json_t *value, json_int_t below, uint32_t *out)
{
    if (!json_is_integer(value) || json_integer_value(value) < 0 ||
        json_integer_value(value) >= below)
        return false;
    *out = (uint32_t)json_integer_value(value);
    return true;
}

static bool read_table(const json_t *json, struct check_machine *m)
{
    const json_t *next = json_object_get(json, "next"), *fires = json_object_get(json, "fires");
    if (!small_integer(json_object_get(json, "states"), 100000, &m->states) || !m->states ||
        !small_integer(json_object_get(json, "classes"), 100000, &m->classes) || !m->classes ||
        !small_integer(json_object_get(json, "initial"), m->states, &m->initial))
        return false;
    size_t cells = (size_t)m->states * m->classes;
    if (json_array_size(next) != cells || json_array_size(fires) != cells)
        return false;
    m->next = tac_calloc(cells + 1, sizeof *m->next);
    m->fires = tac_calloc(cells + 1, sizeof *m->fires);
    m->fires_at_start = json_is_true(json_object_get(json, "fires_at_start"));
    for (size_t i = 0; i < cells; i++)
        if (!small_integer(json_array_get(next, i), m->states, &m->next[i]) ||
            !small_integer(json_array_get(fires, i), 2, &m->fires[i]))
            return false;
    return true;
}

static void read_machine(struct checker *c, const json_t *json, struct check_machine *m)
{
    assert(json && !m->next && !m->fires);
    size_t i;
    json_t *item;
    if (!read_table(json, m)) {
        check_reject(c, "a machine's table is malformed");
        return;
    }
    json_array_foreach(json_object_get(json, "effects"), i, item)
    {
        uint32_t letter = letter_named(c, json_object_get(item, "message"));
        const json_t *permits = json_object_get(item, "permits");
        if (letter == TAC_NONE || !json_is_boolean(permits)) {
            check_reject(c, "a machine's effect is malformed");
            return;
        }
        tac_vec_push(&m->effects, (struct check_effect){letter, json_is_true(permits)});
    }
    json_array_foreach(json_object_get(json, "letters"), i, item)
    {
        uint32_t letter = letter_named(c, json_array_get(item, 0)), class = 0;
        if (letter == TAC_NONE || !small_integer(json_array_get(item, 1), m->classes, &class) ||
            check_listed(&m->letters, letter)) {
            check_reject(c, "a machine's letter has no class, or two");
            return;
        }
        tac_vec_push(&m->letters, letter);
        tac_vec_push(&m->letter_class, class);
    }
    for (uint32_t s = 0; s < m->states; s++)
        m->restless = m->restless || m->next[s * m->classes] != s || m->fires[s * m->classes];
}

void check_cone_read(struct checker *c, const json_t *json, struct check_cone *cone)
{
    size_t i, letters = c->recording->letters.count;
    json_t *item;
    const json_t *machines = json_object_get(json, "machines");
    cone->tracked = tac_calloc(letters + 1, sizeof *cone->tracked);
    cone->target = tac_calloc(letters + 1, 1);
    json_array_foreach(json_object_get(json, "messages"), i, item)
    {
        uint32_t letter = letter_named(c, item);
        if (letter == TAC_NONE || cone->tracked[letter]) {
            check_reject(c, "a message is tracked twice");
            return;
        }
        cone->tracked[letter] = (uint32_t)i + 1;
        cone->message_count++;
    }
    json_array_foreach(json_object_get(json, "targets"), i, item)
    {
        uint32_t letter = letter_named(c, item);
        if (letter == TAC_NONE)
            return;
        if (!cone->tracked[letter] || is_back(c->recording->letters.at[letter].direction))
            check_reject(c, "a target is not tracked, or not a call");
        cone->target[letter] = 1;
    }
    json_array_foreach((json_t *)machines, i, item)
    {
        struct check_machine machine = {0};
        read_machine(c, item, &machine);
        tac_vec_push(&cone->machines, machine);
    }
    if (!small_integer(json_object_get(json, "with_memory"), (json_int_t)cone->machines.count + 1,
                       &cone->with_memory))
        check_reject(c, "\"with_memory\" is not a number of machines");
    for (size_t m = cone->with_memory; m < cone->machines.count; m++)
        if (cone->machines.at[m].states != 1)
            check_reject(c, "a machine with memory is not part of the states");
}

void check_cone_free(struct check_cone *cone)
{
    for (size_t i = 0; i < cone->machines.count; i++) {
        struct check_machine *m = &cone->machines.at[i];
        free(m->next);
        free(m->fires);
        tac_vec_free(&m->effects);
        tac_vec_free(&m->letters);
        tac_vec_free(&m->letter_class);
    }
    tac_vec_free(&cone->machines);
    free(cone->tracked);
    free(cone->target);
}
