/* The part of the system that decides whether given messages can be prohibited when sent: its cone
 * of influence, compiled into guarded mask updates on packed states.
 *
 * Closure: the bit of a target; every machine with a rule on a bit inside; every event that can
 * change a bit or machine inside; the bits that can block such an event; the machines whose rules
 * can conflict at a step of such an event. Events outside change nothing inside, so a shortest
 * witness never needs them, and guards are all kept, so verdicts are exact, not approximated. */
#pragma once

#include "protocol/system/system.h"

enum op_kind {
    OP_GUARD, /* stop when the bit is set: a back-message is disabled */
    OP_CALL,  /* violation when the bit is set: an in-message is disallowed */
    OP_MASK,  /* state = (state & ~clear) | set */
    OP_STEP,  /* machines with memory move; what fires updates the bits */
    OP_STOP,  /* rules that always conflict here: the step blocks */
    OP_DOOM   /* the same under the paper's reading: the next message violates */
};

struct op {
    enum op_kind kind;
    uint32_t bit;                        /* local, OP_GUARD and OP_CALL */
    uint32_t position;                   /* of the letter within the event */
    uint32_t first, count;               /* OP_MASK: in cone.masks; OP_STEP: in cone.moves */
    uint32_t first_static, static_count; /* OP_STEP: in cone.static_effects */
    uint8_t next_kind; /* OP_STEP and OP_DOOM: is the following message an in-message? */
};

struct mask {
    uint32_t word;
    uint64_t set, clear;
};

struct move {
    uint32_t machine; /* local */
    uint32_t class;
};

struct cone_machine {
    uint32_t machine;
    uint32_t shift, width; /* bits shift .. shift+width-1 of the packed state */
};

struct program {
    uint32_t event;
    uint32_t first_op, op_count;
};

struct cone {
    const struct system *system;
    bool abstract;       /* bits outside have no effects either: rules about them cannot conflict */
    u32_vec bits;        /* global numbers; local bit i is bits.at[i] */
    uint32_t *bit_place; /* borrowed: global bit -> local, plus 1 */
    TAC_VEC(struct cone_machine) machines;
    uint32_t *machine_place; /* borrowed: global machine -> local, plus 1 */
    size_t words, state_bits;
    TAC_VEC(struct program) programs;
    TAC_VEC(struct op) ops;
    TAC_VEC(struct mask) masks;
    TAC_VEC(struct move) moves;
    u32_vec static_effects; /* system effects */
    uint64_t *initial;
    bool blocked_at_start; /* rules conflict on the empty history */
    u32_vec targets;       /* global bits of in-messages that this cone decides */
};

/* The closure for one target as a set over bits, then machines, then events; targets with equal
 * closures are decided together. TAC_NONE stands for "any message after a conflict" (the paper's
 * reading). Sorted; the cost is that of what it holds. */
void cone_closure(const struct system *system, uint32_t target_bit, u32_vec *out);
/* The machines that read a letter and their classes: those that mention it, and the restless. */
void cone_readers(const struct system *system, uint32_t letter, u32_vec *machines,
                  u32_vec *classes);
/* abstract: the set is not closed; what is left out neither blocks nor conflicts, which only adds
 * runs. */
void cone_build(const struct system *system, const u32_vec *members, bool abstract,
                struct cone *out);

/* Local number of a global bit or machine, or TAC_NONE. */
static inline uint32_t cone_bit(const struct cone *cone, uint32_t bit)
{
    return cone->bit_place[bit] - 1;
}

static inline uint32_t cone_machine(const struct cone *cone, uint32_t machine)
{
    return cone->machine_place[machine] - 1;
}

void cone_free(struct cone *cone);

struct event_outcome {
    enum step_result result;
    uint32_t position; /* where in the event, for STEP_VIOLATION */
    uint32_t bit;      /* global bit violated; TAC_NONE for a message after a conflict */
};

/* Runs an event on a packed state in place; the state is undefined unless STEP_OK. `scratch` is an
 * array that the system lends. */
struct event_outcome cone_run(const struct cone *cone, const struct program *program,
                              uint64_t *state, uint32_t *scratch);

uint32_t cone_field(const struct cone_machine *m, const uint64_t *state);
