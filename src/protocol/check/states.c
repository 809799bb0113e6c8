/* Closure of a certificate's states, by running every event of the recording on every one. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "protocol/check/check_certificate.h"
#include <string.h>

struct runner {
    struct checker *checker;
    const struct check_cone *cone;
    tac_names states; /* packed: one byte per message, then uint32_t per machine */
    size_t size;      /* bytes of a packed state */
    uint8_t *blocked; /* the running state */
    uint32_t *at;
    uint8_t *signs; /* per letter, zero between messages */
    check_vec touched;
    TAC_VEC(check_vec) words;   /* distinct events, letters that matter only */
    TAC_VEC(check_vec) readers; /* per letter: machine, class pairs */
};

static void pack(const struct runner *y, uint8_t *out)
{
    assert(y->blocked && y->at);
    memcpy(out, y->blocked, y->cone->message_count);
    memcpy(out + y->cone->message_count, y->at, y->cone->with_memory * sizeof *y->at);
}

/* "0101 3,4" into a packed state; false when it is not of that form. */
static bool parse_state(const struct runner *y, const char *text, uint8_t *out)
{
    const struct check_cone *cone = y->cone;
    for (size_t i = 0; i < cone->message_count; i++, text++) {
        if (*text != '0' && *text != '1')
            return false;
        out[i] = *text == '1';
    }
    for (uint32_t m = 0; m < cone->with_memory; m++) {
        char *end;
        if (*text != (m ? ',' : ' ') || text[1] < '0' || text[1] > '9')
            return false;
        unsigned long value = strtoul(text + 1, &end, 10);
        if (value >= cone->machines.at[m].states)
            return false;
        uint32_t state = (uint32_t)value;
        memcpy(out + cone->message_count + m * sizeof state, &state, sizeof state);
        text = end;
    }
    return !*text;
}

static void read_states(struct runner *y, const json_t *states)
{
    uint8_t *packed = tac_calloc(y->size + 1, 1);
    size_t i;
    json_t *item;
    json_array_foreach((json_t *)states, i, item)
    {
        const char *text = json_string_value(item);
        if (!text || !parse_state(y, text, packed)) {
            check_reject(y->checker, "state %zu is malformed", i + 1);
            break;
        }
        tac_names_intern_bytes(&y->states, packed, y->size);
    }
    free(packed);
}

static void note(struct runner *y, const struct check_machine *m, bool *conflict)
{
    for (size_t i = 0; i < m->effects.count; i++) {
        uint32_t letter = m->effects.at[i].letter;
        if (!y->signs[letter])
            tac_vec_push(&y->touched, letter);
        y->signs[letter] |= m->effects.at[i].permits ? 1 : 2;
        *conflict = *conflict || y->signs[letter] == 3;
    }
}

/* Applies the noted effects; false on a conflict: the step blocks. */
static bool settle(struct runner *y, bool conflict)
{
    for (size_t i = 0; i < y->touched.count; i++) {
        uint32_t letter = y->touched.at[i], place = y->cone->tracked[letter];
        if (place && !conflict)
            y->blocked[place - 1] = y->signs[letter] == 2;
        y->signs[letter] = 0;
    }
    y->touched.count = 0;
    return !conflict;
}

static bool start_state(struct runner *y)
{
    bool conflict = false;
    memset(y->blocked, 0, y->cone->message_count);
    for (size_t m = 0; m < y->cone->machines.count; m++) {
        const struct check_machine *machine = &y->cone->machines.at[m];
        if (m < y->cone->with_memory)
            y->at[m] = machine->initial;
        if (machine->fires_at_start)
            note(y, machine, &conflict);
    }
    return settle(y, conflict);
}

static void read_message(struct runner *y, uint32_t machine, uint32_t class, bool *conflict)
{
    const struct check_machine *m = &y->cone->machines.at[machine];
    uint32_t state = machine < y->cone->with_memory ? y->at[machine] : 0;
    uint32_t edge = state * m->classes + class;
    assert(class < m->classes && state < m->states);
    if (machine < y->cone->with_memory)
        y->at[machine] = m->next[edge];
    if (m->fires[edge])
        note(y, m, conflict);
}

/* Runs one event on the running state; true when it goes through to the end. */
static bool run_event(struct runner *y, const check_vec *word)
{
    const struct check_cone *cone = y->cone;
    for (size_t i = 0; i < word->count; i++) {
        uint32_t letter = word->at[i], place = cone->tracked[letter];
        if (place && y->blocked[place - 1]) {
            if (cone->target[letter]) {
                tac_str text = {0};
                recording_letter_text(y->checker->recording, letter, &text);
                check_reject(y->checker, "a state of the certificate allows the prohibited %s",
                             tac_str_text(&text));
                tac_str_free(&text);
            }
            return false;
        }
        bool conflict = false;
        const check_vec *readers = &y->readers.at[letter];
        for (size_t k = 0; k < readers->count; k += 2)
            read_message(y, readers->at[k], readers->at[k + 1], &conflict);
        if (!settle(y, conflict))
            return false;
    }
    return true;
}

/* Which machines read a letter: those that list it, and the restless ones. */
static void find_readers(struct runner *y)
{
    const struct recording *r = y->checker->recording;
    for (uint32_t l = 0; l < r->letters.count; l++) {
        check_vec readers = {0};
        tac_vec_push(&y->readers, readers);
    }
    for (uint32_t m = 0; m < y->cone->machines.count; m++) {
        const struct check_machine *machine = &y->cone->machines.at[m];
        for (uint32_t l = 0; machine->restless && l < r->letters.count; l++) {
            tac_vec_push(&y->readers.at[l], m);
            tac_vec_push(&y->readers.at[l], check_machine_class(machine, l));
        }
        for (size_t i = 0; !machine->restless && i < machine->letters.count; i++) {
            tac_vec_push(&y->readers.at[machine->letters.at[i]], m);
            tac_vec_push(&y->readers.at[machine->letters.at[i]], machine->letter_class.at[i]);
        }
    }
}

static void find_words(struct runner *y)
{
    const struct recording *r = y->checker->recording;
    tac_names seen = {0};
    for (size_t e = 0; e < r->events.count; e++) {
        check_vec word = {0};
        if (r->events.at[e].raised)
            continue;
        for (uint32_t i = r->events.at[e].first; i < r->events.at[e].end; i++) {
            uint32_t letter = r->messages.at[i].letter;
            if (y->cone->tracked[letter] || y->readers.at[letter].count)
                tac_vec_push(&word, letter);
        }
        if (tac_names_add(&seen, word.at, word.count * sizeof *word.at))
            tac_vec_push(&y->words, word);
        else
            tac_vec_free(&word);
    }
    assert(y->words.count == seen.count);
    tac_names_free(&seen);
}

static void check_closure(struct runner *y, tac_watch *watch)
{
    struct checker *c = y->checker;
    uint8_t *packed = tac_calloc(y->size + 1, 1);
    assert(y->size >= y->cone->message_count);
    if (start_state(y)) { /* else rules conflict on the empty history and nothing can happen */
        pack(y, packed);
        if (tac_names_find_bytes(&y->states, packed, y->size) == TAC_NONE)
            check_reject(c, "the start is not among the states");
    }
    for (uint32_t s = 0; s < y->states.count && !c->rejected; s++) {
        if (s % 256 == 0 && !tac_watch_tick(watch, "states", s, y->states.count)) {
            c->status = tac_fail(c->err, TAC_E_INTERRUPTED, "interrupted while checking");
            break;
        }
        for (size_t w = 0; w < y->words.count && !c->rejected; w++) {
            const uint8_t *from = (const uint8_t *)y->states.text[s];
            memcpy(y->blocked, from, y->cone->message_count);
            memcpy(y->at, from + y->cone->message_count, y->cone->with_memory * sizeof *y->at);
            if (!run_event(y, &y->words.at[w]))
                continue;
            pack(y, packed);
            if (tac_names_find_bytes(&y->states, packed, y->size) == TAC_NONE)
                check_reject(c, "an event leads out of the states");
        }
    }
    free(packed);
}

void check_states(struct checker *c, const struct check_cone *cone, const json_t *states,
                  tac_watch *watch)
{
    struct runner y = {.checker = c, .cone = cone};
    y.size = cone->message_count + cone->with_memory * sizeof *y.at;
    y.blocked = tac_calloc(cone->message_count + 1, 1);
    y.at = tac_calloc(cone->with_memory + 1, sizeof *y.at);
    y.signs = tac_calloc(c->recording->letters.count + 1, 1);
    read_states(&y, states);
    find_readers(&y);
    find_words(&y);
    if (!c->rejected)
        check_closure(&y, watch);
    c->states += y.states.count;
    for (size_t i = 0; i < y.words.count; i++)
        tac_vec_free(&y.words.at[i]);
    for (size_t i = 0; i < y.readers.count; i++)
        tac_vec_free(&y.readers.at[i]);
    tac_vec_free(&y.words);
    tac_vec_free(&y.readers);
    tac_vec_free(&y.touched);
    tac_names_free(&y.states);
    free(y.blocked);
    free(y.at);
    free(y.signs);
}
