/* Compiling the events of a cone into operations on packed states, and running them.
 *
 * A state is an array of words: one bit per message, then a small number per machine. Machines
 * without memory act through fixed masks; the others are looked up when an event runs. Events that
 * compile to the same operations are kept once, and those that neither change the state nor call a
 * target are dropped. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/bits.h"
#include "base/data/str.h"
#include "protocol/system/cone.h"

struct compiler {
    const struct system *system;
    struct cone *cone;
    u32_vec machines, classes; /* readers of the current letter */
    uint32_t *signs;           /* per bit, zero between letters */
    u32_vec effects;           /* of machines without memory that fire on the letter */
    tac_names programs;        /* to keep each program once */
};

static uint32_t width_for(uint32_t states)
{
    uint32_t width = 1;
    while (width < 32 && ((uint32_t)1 << width) < states)
        width++;
    return width;
}

static void layout(struct cone *cone, const u32_vec *members)
{
    const struct system *s = cone->system;
    size_t next = 0;
    cone->bit_place = system_borrow(s);
    cone->machine_place = system_borrow(s);
    for (size_t i = 0; i < members->count; i++) { /* sorted: bits first */
        uint32_t member = members->at[i];
        if (member < s->bit_count) {
            tac_vec_push(&cone->bits, member);
            cone->bit_place[member] = (uint32_t)cone->bits.count;
            next++;
        } else if (member < s->bit_count + s->machines.count) {
            uint32_t machine = member - s->bit_count;
            uint32_t width = width_for(s->machines.at[machine].automaton.states);
            if (next / 64 != (next + width - 1) / 64)
                next = (next + 63) / 64 * 64; /* a field never crosses a word */
            tac_vec_push(&cone->machines, (struct cone_machine){machine, (uint32_t)next, width});
            cone->machine_place[machine] = (uint32_t)cone->machines.count;
            next += width;
        }
    }
    cone->state_bits = next;
    assert(cone->bits.count <= next && (cone->bits.count == next || cone->machines.count));
    cone->words = tac_bits_words(next ? next : 1);
}

static void set_field(const struct cone_machine *m, uint64_t *state, uint32_t value)
{
    uint64_t ones = (((uint64_t)1 << m->width) - 1) << (m->shift % 64);
    uint64_t *word = &state[m->shift / 64];
    assert(m->width && m->shift / 64 == (m->shift + m->width - 1) / 64);
    *word = (*word & ~ones) | ((uint64_t)value << (m->shift % 64));
}

uint32_t cone_field(const struct cone_machine *m, const uint64_t *state)
{
    return (uint32_t)(state[m->shift / 64] >> (m->shift % 64) & (((uint64_t)1 << m->width) - 1));
}

/* The initial state: machines at their start, and what fires on the empty history. */
static void initial_state(struct cone *cone)
{
    assert(cone->words && !cone->initial);
    const struct system *s = cone->system;
    cone->initial = tac_calloc(cone->words, sizeof(uint64_t));
    struct conflict conflict;
    enum step_result result;
    const struct full_state *start = system_start(s, &result, &conflict);
    cone->blocked_at_start = result == STEP_CONFLICT || start->doomed;
    for (size_t i = 0; i < cone->bits.count; i++)
        if (start->blocked[cone->bits.at[i]])
            tac_bits_set(cone->initial, i);
    for (size_t i = 0; i < cone->machines.count; i++)
        set_field(&cone->machines.at[i], cone->initial, start->at[cone->machines.at[i].machine]);
}

static void push_op(struct compiler *c, struct op op)
{
    tac_vec_push(&c->cone->ops, op);
}

/* The fixed effects as masks over the words of the state. */
static void push_masks(struct compiler *c, uint32_t position)
{
    struct cone *cone = c->cone;
    struct op op = {.kind = OP_MASK,
                    .bit = TAC_NONE,
                    .position = position,
                    .first = (uint32_t)cone->masks.count};
    for (uint32_t w = 0; w < cone->words; w++) {
        struct mask mask = {.word = w};
        for (size_t i = 0; i < c->effects.count; i++) {
            const struct effect *e = &c->system->effects.at[c->effects.at[i]];
            uint32_t local = cone_bit(cone, e->bit);
            if (local == TAC_NONE || local / 64 != w)
                continue;
            *(e->permits ? &mask.clear : &mask.set) |= (uint64_t)1 << (local % 64);
        }
        if (!mask.set && !mask.clear)
            continue;
        tac_vec_push(&cone->masks, mask);
        op.count++;
    }
    if (op.count)
        push_op(c, op);
}

static bool effects_conflict(struct compiler *c)
{
    bool conflict = false;
    for (size_t i = 0; i < c->effects.count; i++) {
        const struct effect *e = &c->system->effects.at[c->effects.at[i]];
        c->signs[e->bit] |= e->permits ? 1 : 2;
        conflict = conflict || c->signs[e->bit] == 3;
    }
    for (size_t i = 0; i < c->effects.count; i++)
        c->signs[c->system->effects.at[c->effects.at[i]].bit] = 0;
    return conflict;
}

/* Does an effect count? In an abstraction only those on its own bits do. */
static bool matters(const struct cone *cone, uint32_t effect)
{
    return !cone->abstract || cone_bit(cone, cone->system->effects.at[effect].bit) != TAC_NONE;
}

/* What reading the letter does to the machines and, through them, to the bits. */
static void compile_moves(struct compiler *c, uint32_t letter, uint32_t position, bool next_is_in)
{
    const struct system *s = c->system;
    struct cone *cone = c->cone;
    cone_readers(s, letter, &c->machines, &c->classes);
    assert(c->machines.count == c->classes.count);
    c->effects.count = 0;
    uint32_t first = (uint32_t)cone->moves.count;
    for (size_t i = 0; i < c->machines.count; i++) {
        const struct machine *m = &s->machines.at[c->machines.at[i]];
        uint32_t local = cone_machine(cone, c->machines.at[i]);
        if (m->automaton.states > 1) {
            if (local != TAC_NONE)
                tac_vec_push(&cone->moves, (struct move){local, c->classes.at[i]});
        } else if (m->automaton.fires[c->classes.at[i]]) {
            for (uint32_t k = 0; k < m->effect_count; k++)
                if (matters(cone, m->first_effect + k))
                    tac_vec_push(&c->effects, m->first_effect + k);
        }
    }
    uint32_t count = (uint32_t)cone->moves.count - first;
    struct op op = {.kind = s->paper ? OP_DOOM : OP_STOP,
                    .bit = TAC_NONE,
                    .position = position,
                    .next_kind = next_is_in};
    if (effects_conflict(c)) {
        push_op(c, op);
    } else if (!count) {
        push_masks(c, position);
    } else {
        op.kind = OP_STEP;
        op.first = first;
        op.count = count;
        op.first_static = (uint32_t)cone->static_effects.count;
        op.static_count = (uint32_t)c->effects.count;
        tac_vec_append(&cone->static_effects, c->effects.at, c->effects.count);
        push_op(c, op);
    }
}

static bool letter_is_in(const struct system *s, uint32_t letter)
{
    if (letter == OTHER_BACK || letter == OTHER_IN)
        return letter == OTHER_IN;
    return !is_back(s->recording->letters.at[letter].direction);
}

/* The bytes that tell one program from another: everything but places. */
static void program_key(const struct cone *cone, uint32_t first_op, tac_str *key)
{
    for (size_t i = first_op; i < cone->ops.count; i++) {
        struct op op = cone->ops.at[i];
        uint32_t head[5] = {op.kind, op.bit, op.count, op.static_count, op.next_kind};
        tac_str_add_bytes(key, (const char *)head, sizeof head);
        if (op.kind == OP_MASK)
            for (uint32_t k = 0; k < op.count; k++) {
                const struct mask *m = &cone->masks.at[op.first + k];
                uint64_t words[3] = {m->word, m->set, m->clear};
                tac_str_add_bytes(key, (const char *)words, sizeof words);
            }
        if (op.kind == OP_STEP) {
            tac_str_add_bytes(key, (const char *)(cone->moves.at + op.first),
                              op.count * sizeof(struct move));
            for (uint32_t k = 0; k < op.static_count; k++)
                tac_str_add_bytes(key, (const char *)&cone->static_effects.at[op.first_static + k],
                                  sizeof(uint32_t));
        }
    }
}

static void compile_event(struct compiler *c, uint32_t index)
{
    const struct system *s = c->system;
    struct cone *cone = c->cone;
    const struct event *e = &s->events.at[index];
    struct program program = {.event = index, .first_op = (uint32_t)cone->ops.count};
    bool useful = false;
    assert(index < c->system->events.count);
    for (uint32_t i = 0; i < e->letter_count; i++) {
        uint32_t letter = s->event_letters.at[e->first_letter + i];
        uint32_t bit = TAC_NONE;
        if (letter != OTHER_BACK && letter != OTHER_IN && s->letters[letter].bit != TAC_NONE)
            bit = cone_bit(cone, s->letters[letter].bit);
        bool in = letter_is_in(s, letter);
        if (bit != TAC_NONE)
            push_op(c, (struct op){.kind = in ? OP_CALL : OP_GUARD, .bit = bit, .position = i});
        bool next_is_in = i + 1 < e->letter_count &&
                          letter_is_in(s, s->event_letters.at[e->first_letter + i + 1]);
        compile_moves(c, letter, i, next_is_in);
    }
    for (size_t i = program.first_op; i < cone->ops.count; i++)
        useful = useful || (cone->ops.at[i].kind != OP_GUARD && cone->ops.at[i].kind != OP_STOP);
    program.op_count = (uint32_t)cone->ops.count - program.first_op;
    if (useful) {
        tac_str key = {0};
        program_key(cone, program.first_op, &key);
        useful = tac_names_add(&c->programs, tac_str_text(&key), key.length);
        tac_str_free(&key);
    }
    if (useful)
        tac_vec_push(&cone->programs, program);
    else
        cone->ops.count = program.first_op;
}

void cone_build(const struct system *system, const u32_vec *members, bool abstract,
                struct cone *out)
{
    assert(!abstract || !system->paper);
    *out = (struct cone){.system = system, .abstract = abstract};
    layout(out, members);
    initial_state(out);
    struct compiler c = {.system = system, .cone = out, .signs = system_borrow(system)};
    for (size_t i = 0; i < members->count; i++)
        if (members->at[i] >= event_member(system, 0))
            compile_event(&c, members->at[i] - event_member(system, 0));
    system_return(system, c.signs); /* effects_conflict has cleared it */
    tac_vec_free(&c.machines);
    tac_vec_free(&c.classes);
    tac_vec_free(&c.effects);
    tac_names_free(&c.programs);
}

void cone_free(struct cone *cone)
{
    for (size_t i = 0; i < cone->bits.count; i++)
        cone->bit_place[cone->bits.at[i]] = 0;
    for (size_t i = 0; i < cone->machines.count; i++)
        cone->machine_place[cone->machines.at[i].machine] = 0;
    if (cone->bit_place)
        system_return(cone->system, cone->bit_place);
    if (cone->machine_place)
        system_return(cone->system, cone->machine_place);
    tac_vec_free(&cone->bits);
    tac_vec_free(&cone->machines);
    tac_vec_free(&cone->programs);
    tac_vec_free(&cone->ops);
    tac_vec_free(&cone->masks);
    tac_vec_free(&cone->moves);
    tac_vec_free(&cone->static_effects);
    tac_vec_free(&cone->targets);
    free(cone->initial);
    *cone = (struct cone){0};
}

/* Notes an effect in scratch (1 permit, 2 prohibit per bit; the bits concerned are listed after
 * them); false on a conflict. */
static bool note_effect(const struct system *s, uint32_t effect, uint32_t *scratch,
                        uint32_t *touched)
{
    const struct effect *e = &s->effects.at[effect];
    if (!scratch[e->bit])
        scratch[s->bit_count + (*touched)++] = e->bit;
    scratch[e->bit] |= e->permits ? 1 : 2;
    return scratch[e->bit] != 3;
}

/* Moves the machines of one step and applies what fires; false on a conflict. */
static bool run_step(const struct cone *cone, const struct op *op, uint64_t *state,
                     uint32_t *scratch)
{
    const struct system *s = cone->system;
    uint32_t touched = 0;
    bool consistent = true;
    for (uint32_t i = 0; i < op->count; i++) {
        const struct move *move = &cone->moves.at[op->first + i];
        const struct cone_machine *local = &cone->machines.at[move->machine];
        const struct machine *m = &s->machines.at[local->machine];
        size_t edge = (size_t)cone_field(local, state) * m->automaton.classes + move->class;
        set_field(local, state, m->automaton.next[edge]);
        if (!m->automaton.fires[edge])
            continue;
        for (uint32_t k = 0; k < m->effect_count; k++)
            if (matters(cone, m->first_effect + k))
                consistent = note_effect(s, m->first_effect + k, scratch, &touched) && consistent;
    }
    for (uint32_t i = 0; i < op->static_count; i++)
        consistent =
            note_effect(s, cone->static_effects.at[op->first_static + i], scratch, &touched) &&
            consistent;
    for (uint32_t i = 0; i < touched; i++) {
        uint32_t bit = scratch[s->bit_count + i], local = cone_bit(cone, bit);
        if (local != TAC_NONE && consistent) {
            if (scratch[bit] == 2)
                tac_bits_set(state, local);
            else
                tac_bits_clear(state, local);
        }
        scratch[bit] = scratch[s->bit_count + i] = 0;
    }
    return consistent;
}

struct event_outcome cone_run(const struct cone *cone, const struct program *program,
                              uint64_t *state, uint32_t *scratch)
{
    struct event_outcome stuck = {STEP_STUCK, 0, TAC_NONE};
    bool paper = cone->system->paper;
    assert(program->first_op + program->op_count <= cone->ops.count);
    for (uint32_t i = 0; i < program->op_count; i++) {
        const struct op *op = &cone->ops.at[program->first_op + i];
        switch (op->kind) {
        case OP_GUARD:
            if (tac_bits_get(state, op->bit))
                return stuck;
            break;
        case OP_CALL:
            if (tac_bits_get(state, op->bit))
                return (struct event_outcome){STEP_VIOLATION, op->position, cone->bits.at[op->bit]};
            break;
        case OP_MASK:
            for (uint32_t k = 0; k < op->count; k++) {
                const struct mask *m = &cone->masks.at[op->first + k];
                state[m->word] = (state[m->word] & ~m->clear) | m->set;
            }
            break;
        case OP_STEP:
            if (run_step(cone, op, state, scratch))
                break;
            if (paper && op->next_kind)
                return (struct event_outcome){STEP_VIOLATION, op->position + 1, TAC_NONE};
            return stuck;
        case OP_STOP:
            return stuck;
        case OP_DOOM:
            if (op->next_kind)
                return (struct event_outcome){STEP_VIOLATION, op->position + 1, TAC_NONE};
            return stuck;
        }
    }
    return (struct event_outcome){STEP_OK, 0, TAC_NONE};
}
