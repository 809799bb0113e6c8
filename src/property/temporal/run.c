/* Running an automaton over a chunk of states.
 *
 * The letters of the chunk are computed column by column from the shared atoms. While the automaton
 * stays where it is on one letter, equal letters are skipped eight at a time, so that a property
 * whose events are rare costs a fraction of a nanosecond a state. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("O3") /* -O2 of gcc leaves loops of unknown length scalar */
#endif
#include "property/temporal/temporal.h"

#include "base/check.h"
#include <string.h>

void temporal_start(const struct automaton *automaton, struct temporal_state *state)
{
    memset(state, 0, sizeof *state);
    state->state = automaton->start;
    tac_answer answer = (tac_answer)automaton->answers[automaton->start];
    state->decided = answer == TAC_HOLDS || answer == TAC_VIOLATED;
}

static bool bad(tac_answer answer)
{
    return answer == TAC_VIOLATED || answer == TAC_PRESUMABLY_VIOLATED;
}

static void move(const struct automaton *automaton, struct temporal_state *state, uint32_t target,
                 const struct chunk *chunk, size_t i)
{
    assert(target < automaton->states);
    tac_answer before = (tac_answer)automaton->answers[state->state];
    tac_answer after = (tac_answer)automaton->answers[target];
    uint64_t index = chunk->first + i;
    if (before != after)
        state->changed = index;
    if (bad(after) && !bad(before)) {
        state->since = index;
        state->since_time = chunk->time[i];
    }
    state->state = target;
    if (after == TAC_HOLDS || after == TAC_VIOLATED) {
        state->decided = true;
        state->decided_state = index;
        state->decided_time = chunk->time[i];
    }
}

/* Two atoms in one pass, so that a letter is written half as often. */
__attribute__((always_inline)) static inline void
letters_by_bytes(const struct automaton *automaton, const struct chunk *chunk,
                 uint8_t *restrict out)
{
    size_t atoms = automaton->atom_count, count = chunk->count, a = atoms % 2;
    if (a) {
        const uint8_t *restrict bits = column_bits(chunk->program, automaton->atoms[0]);
        uint8_t weight = (uint8_t)automaton->weights[0];
        for (size_t i = 0; i < count; i++)
            out[i] = (uint8_t)-bits[i] & weight;
    } else if (!atoms) {
        memset(out, 0, count);
    }
    for (; a < atoms; a += 2) {
        const uint8_t *restrict one = column_bits(chunk->program, automaton->atoms[a]);
        const uint8_t *restrict two = column_bits(chunk->program, automaton->atoms[a + 1]);
        uint8_t first = (uint8_t)automaton->weights[a], second = (uint8_t)automaton->weights[a + 1];
        if (a == 0)
            for (size_t i = 0; i < count; i++)
                out[i] = (uint8_t)(((uint8_t)-one[i] & first) + ((uint8_t)-two[i] & second));
        else
            for (size_t i = 0; i < count; i++)
                out[i] =
                    (uint8_t)(out[i] + ((uint8_t)-one[i] & first) + ((uint8_t)-two[i] & second));
    }
}

#if defined(__x86_64__) && defined(__GNUC__)
__attribute__((target("avx2"))) static void
letters_avx2(const struct automaton *automaton, const struct chunk *chunk, uint8_t *restrict out)
{
    letters_by_bytes(automaton, chunk, out);
}
#endif

static void letters_small(const struct automaton *automaton, const struct chunk *chunk,
                          uint8_t *restrict out)
{
#if defined(__x86_64__) && defined(__GNUC__)
    if (__builtin_cpu_supports("avx2")) {
        letters_avx2(automaton, chunk, out);
        return;
    }
#endif
    letters_by_bytes(automaton, chunk, out);
}

/* Letters of few bits, widened: the columns are bytes, and so is most of the work. */
static void letters_widened(const struct automaton *automaton, const struct chunk *chunk,
                            uint16_t *restrict out)
{
    uint8_t small[COLUMN_CHUNK];
    letters_small(automaton, chunk, small);
    for (size_t i = 0; i < chunk->count; i++)
        out[i] = small[i];
}

static void letters_large(const struct automaton *automaton, const struct chunk *chunk,
                          uint16_t *restrict out)
{
    memset(out, 0, chunk->count * sizeof *out);
    for (size_t a = 0; a < automaton->atom_count; a++) {
        const uint8_t *restrict bits = column_bits(chunk->program, automaton->atoms[a]);
        uint16_t weight = (uint16_t)automaton->weights[a];
        for (size_t i = 0; i < chunk->count; i++)
            out[i] = (uint16_t)(out[i] + ((uint16_t)-bits[i] & weight));
    }
}

/* How many bytes come, in memory, before the first that is not zero. */
static inline size_t differing_bytes(uint64_t word)
{
    assert_costly(word != 0);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    return (size_t)__builtin_clzll(word) / 8;
#else
    return (size_t)__builtin_ctzll(word) / 8;
#endif
}

/* The first place at or after `from` whose letter differs from the one before it. */
static size_t skip_equal(const uint8_t *letters, size_t from, size_t count)
{
    uint64_t same = 0x0101010101010101u * letters[from - 1], word;
    while (from + 8 <= count) {
        memcpy(&word, letters + from, 8);
        if (word != same)
            return from + differing_bytes(word ^ same);
        from += 8;
    }
    while (from < count && letters[from] == letters[from - 1])
        from++;
    return from;
}

/* The same for letters of two bytes. */
static size_t skip_equal_wide(const uint16_t *letters, size_t from, size_t count)
{
    uint64_t same = 0x0001000100010001u * letters[from - 1], word;
    while (from + 4 <= count) {
        memcpy(&word, letters + from, 8);
        if (word != same)
            return from + differing_bytes(word ^ same) / 2;
        from += 4;
    }
    while (from < count && letters[from] == letters[from - 1])
        from++;
    return from;
}

static void run_plain(const struct automaton *automaton, struct temporal_state *state,
                      const struct chunk *chunk, const uint8_t *letters)
{
    const uint32_t *next = automaton->next;
    size_t width = automaton->letters;
    size_t i = 0;
    while (i < chunk->count) {
        uint32_t target = next[state->state * width + letters[i]];
        if (target == state->state) {
            i = skip_equal(letters, i + 1, chunk->count);
            continue;
        }
        move(automaton, state, target, chunk, i);
        if (state->decided)
            return;
        i++;
    }
}

static bool passed(const struct clock_kind *kind, int64_t deadline, uint64_t index, int64_t time)
{
    int64_t now = kind->steps ? (int64_t)index : time;
    return kind->strict ? now >= deadline : now > deadline;
}

static int64_t deadline_from(const struct clock_kind *kind, uint64_t index, int64_t time)
{
    int64_t now = kind->steps ? (int64_t)index : time;
    return now > INT64_MAX - kind->amount ? INT64_MAX : now + kind->amount;
}

static void step_clocked(const struct automaton *automaton, struct temporal_state *state,
                         const struct chunk *chunk, size_t i, uint32_t letter)
{
    uint32_t from = state->state;
    uint64_t index = chunk->first + i;
    unsigned expired = 0;
    for (unsigned c = 0; c < automaton->clock_count[from]; c++) {
        const struct clock_kind *kind =
            &automaton->kinds[automaton->clock_kinds[from * AUTOMATON_CLOCKS + c]];
        if (passed(kind, state->deadline[c], index, chunk->time[i]))
            expired |= 1u << c;
    }
    size_t row = automaton->first[from] + expired * automaton->letters + letter;
    uint32_t target = automaton->next[row];
    int64_t deadline[AUTOMATON_CLOCKS] = {0};
    for (unsigned c = 0; c < automaton->clock_count[target]; c++) {
        uint8_t source = automaton->moves[row * AUTOMATON_CLOCKS + c];
        deadline[c] =
            source != 0xff
                ? state->deadline[source]
                : deadline_from(
                      &automaton->kinds[automaton->clock_kinds[target * AUTOMATON_CLOCKS + c]],
                      index, chunk->time[i]);
    }
    memcpy(state->deadline, deadline, sizeof deadline);
    if (target != from)
        move(automaton, state, target, chunk, i);
}

/* On this letter, before any deadline, the automaton and its clocks stay as they are. */
static bool stays(const struct automaton *automaton, uint32_t state, uint32_t letter)
{
    assert(state < automaton->states && letter < automaton->letters);
    size_t row = automaton->first[state] + letter;
    if (automaton->next[row] != state)
        return false;
    for (unsigned c = 0; c < automaton->clock_count[state]; c++)
        if (automaton->moves[row * AUTOMATON_CLOCKS + c] != c)
            return false;
    return true;
}

/* The first state from i on whose letter differs, or at which a deadline has passed. */
static size_t skip_clocked(const struct automaton *automaton, const struct temporal_state *state,
                           const struct chunk *chunk, const uint16_t *letters, size_t i)
{
    assert(i < chunk->count);
    int64_t time_limit = INT64_MAX, index_limit = INT64_MAX;
    uint16_t letter = letters[i];
    for (unsigned c = 0; c < automaton->clock_count[state->state]; c++) {
        const struct clock_kind *kind =
            &automaton->kinds[automaton->clock_kinds[state->state * AUTOMATON_CLOCKS + c]];
        int64_t *limit = kind->steps ? &index_limit : &time_limit;
        int64_t from = kind->strict || state->deadline[c] == INT64_MAX ? state->deadline[c]
                                                                       : state->deadline[c] + 1;
        *limit = from < *limit ? from : *limit;
    }
    size_t stop = chunk->count;
    if (index_limit - (int64_t)chunk->first < (int64_t)stop)
        stop = index_limit > (int64_t)(chunk->first + i)
                   ? (size_t)(index_limit - (int64_t)chunk->first)
                   : i;
    while (i < stop && letters[i] == letter && chunk->time[i] < time_limit)
        i++;
    return i;
}

static void run_clocked(const struct automaton *automaton, struct temporal_state *state,
                        const struct chunk *chunk, const uint16_t *letters)
{
    for (size_t i = 0; i < chunk->count && !state->decided; i++) {
        if (!automaton->clock_count[state->state]) { /* no clock runs: as without clocks */
            uint32_t at = state->state;
            const uint32_t *row = automaton->next + automaton->first[at];
            while (i < chunk->count && row[letters[i]] == at)
                i = skip_equal_wide(letters, i + 1, chunk->count);
            if (i == chunk->count)
                return;
        } else if (stays(automaton, state->state, letters[i])) {
            i = skip_clocked(automaton, state, chunk, letters, i);
            if (i == chunk->count)
                return;
        }
        step_clocked(automaton, state, chunk, i, letters[i]);
    }
}

/* Where the automaton would go on any letter, if all agree; else none. */
static bool certain_target(const struct automaton *automaton, uint32_t from, unsigned expired,
                           tac_answer wanted, uint32_t *target)
{
    size_t row = automaton->first[from] + expired * automaton->letters;
    for (size_t l = 0; l < automaton->letters; l++)
        if (automaton->answers[automaton->next[row + l]] != (uint8_t)wanted)
            return false;
    *target = automaton->next[row];
    return true;
}

void temporal_tick(const struct automaton *automaton, struct temporal_state *state, uint64_t last,
                   int64_t now)
{
    uint32_t from = state->state, target;
    unsigned expired = 0;
    if (state->decided || !automaton->first)
        return;
    for (unsigned c = 0; c < automaton->clock_count[from]; c++) {
        const struct clock_kind *kind =
            &automaton->kinds[automaton->clock_kinds[from * AUTOMATON_CLOCKS + c]];
        if (!kind->steps && passed(kind, state->deadline[c], last, now))
            expired |= 1u << c;
    }
    if (!expired || (!certain_target(automaton, from, expired, TAC_VIOLATED, &target) &&
                     !certain_target(automaton, from, expired, TAC_HOLDS, &target)))
        return;
    struct chunk silence = {.time = &now, .first = last, .count = 1};
    move(automaton, state, target, &silence, 0);
}

void temporal_feed(const struct automaton *automaton, struct temporal_state *state,
                   const struct chunk *chunk, uint16_t *scratch)
{
    assert(chunk->count > 0 && chunk->count <= COLUMN_CHUNK);
    assert(state->state < automaton->states);
    if (chunk->first == 0)
        state->since_time = chunk->time[0];
    if (state->decided)
        return;
    if (!automaton->first && automaton->letters <= 256) {
        uint8_t *letters = (uint8_t *)scratch;
        letters_small(automaton, chunk, letters);
        run_plain(automaton, state, chunk, letters);
        return;
    }
    if (automaton->letters <= 256)
        letters_widened(automaton, chunk, scratch);
    else
        letters_large(automaton, chunk, scratch);
    if (automaton->first) {
        run_clocked(automaton, state, chunk, scratch);
        return;
    }
    for (size_t i = 0; i < chunk->count && !state->decided; i++) {
        uint32_t target = automaton->next[state->state * automaton->letters + scratch[i]];
        if (target != state->state)
            move(automaton, state, target, chunk, i);
    }
}
