/* The transition system of a recording under ground rules (paper, figure 9 and section 5).
 *
 * State: one bit per message that some rule targets (set = a back-message is disabled, an
 * in-message is disallowed) and one state per machine (the Mealy automaton of a left-hand side;
 * rules with equal left-hand sides share it). Nothing is blocked at first, except by rules that
 * fire on the empty history.
 *
 * A message m in a state: a blocked back-message stops here; a blocked in-message is a violation;
 * otherwise every machine reads m and the rules that fire set and clear bits. If one message is
 * permitted and prohibited at the same step the rules conflict: the step blocks. Under the paper's
 * reading everything is prohibited from then on instead, so the next message decides: an in-message
 * is a violation, a back-message stops. */
#pragma once

#include "protocol/system/grounding.h"

struct effect {
    uint32_t bit;
    bool permits;
    uint32_t rule; /* ground rule */
};

struct machine {
    struct automaton automaton;
    uint32_t term;
    uint32_t first_effect, effect_count; /* in system.effects */
    bool restless; /* a letter outside its alphabet can move it or make it fire */
};

/* A machine that reads a letter other than with its class 0. */
struct machine_use {
    uint32_t machine, class;
};

struct letter_info {
    uint32_t bit;                      /* or TAC_NONE */
    uint32_t first_use, use_count;     /* in system.uses */
    uint32_t first_event, event_count; /* in system.letter_events */
    bool mentioned;                    /* in a left-hand side or as a target */
};

/* A distinct top-level callback: its letters; the first recorded event that looks so. */
struct event {
    uint32_t first_letter, letter_count; /* in system.event_letters and event_messages */
    uint32_t recorded;                   /* index in recording.events */
    uint32_t times;                      /* how often it was recorded */
};

struct system {
    const struct recording *recording;
    const struct spec_set *specs;
    const struct grounding *grounding;
    uint32_t bit_count;
    u32_vec bit_letters;  /* bit -> letter */
    u32_vec bit_machines; /* machines with a rule on a bit: bit_first[b] .. bit_first[b+1]-1 */
    uint32_t *bit_first;
    uint8_t *prohibitable;       /* bit -> some rule prohibits it */
    struct letter_info *letters; /* per letter of the recording */
    TAC_VEC(struct machine) machines;
    TAC_VEC(struct effect) effects;
    TAC_VEC(struct machine_use) uses;
    u32_vec restless;
    TAC_VEC(struct event) events;
    u32_vec event_of;           /* recorded event -> event; TAC_NONE when it raised */
    u32_vec event_letters;      /* of the letters that matter to some rule, and OTHER_* */
    u32_vec event_messages;     /* the message behind each of them, in recording.messages */
    u32_vec letter_events;      /* letters[l].first_event .. : the events that hold it */
    bool paper;                 /* the paper's reading of conflicts */
    struct system_store *store; /* borrowed arrays, and the start; see below */
};

/* Work that concerns a few bits of a large system must not cost its size: arrays are borrowed, used
 * sparsely and given back as they were, full of zeros. One borrower at a time per array. */
uint32_t *system_borrow(const struct system *system); /* system_array_size() zeros */
void system_return(const struct system *system, uint32_t *zeros);

/* A set of members of the system: bits, then machines, then events (or letters, whatever fits). */
struct member_set {
    uint32_t *place; /* borrowed: position in members, plus 1 */
    u32_vec members;
};

static inline bool member_set_has(const struct member_set *set, uint32_t member)
{
    return set->place[member] != 0;
}

/* True when the member is new. */
static inline bool member_set_add(struct member_set *set, uint32_t member)
{
    if (set->place[member])
        return false;
    tac_vec_push(&set->members, member);
    set->place[member] = (uint32_t)set->members.count;
    return true;
}

void member_set_open(const struct system *system, struct member_set *out);
void member_set_sort(struct member_set *set);
void member_set_close(const struct system *system, struct member_set *set);

static inline uint32_t machine_member(const struct system *s, uint32_t machine)
{
    return s->bit_count + machine;
}
/* Adds a bit, and with it every machine with memory that has a rule about it. */
void member_set_track(const struct system *system, uint32_t bit, struct member_set *set);

static inline uint32_t event_member(const struct system *s, uint32_t event)
{
    return s->bit_count + (uint32_t)s->machines.count + event;
}

/* In events, messages that no rule mentions: kept only where a machine or a conflict needs them. */
#define OTHER_BACK LETTER_OTHER
#define OTHER_IN (LETTER_OTHER - 1)

tac_status system_build(const struct spec_set *specs, const struct recording *recording,
                        const struct grounding *grounding, bool paper, struct system *out,
                        tac_error *err);
/* Finds the distinct events again, after messages were inserted into the recording's. */
void system_collect_events(struct system *system);
void system_free(struct system *system);
struct system_store *system_store_new(void);
void system_store_free(struct system_store *store);

/* The class under which a machine reads a letter of the recording. */
static inline uint32_t machine_class(const struct machine *m, uint32_t letter)
{
    return automaton_class(&m->automaton, letter);
}

/* A full state, with the reason for each bit. */
struct reason {
    uint32_t rule;    /* ground rule that last set the bit so, or TAC_NONE */
    uint32_t message; /* the caller's number of the message it fired on; TAC_NONE: at the start */
};

/* What a step changed, so that it can be taken back. */
struct state_change {
    uint32_t index; /* a bit, or a machine */
    bool is_machine, blocked;
    uint32_t at;
    struct reason reason;
};

struct full_state {
    bool remembers; /* changes are noted */
    TAC_VEC(struct state_change) changes;
    uint8_t *blocked;      /* per bit */
    struct reason *reason; /* per bit */
    uint32_t *at;          /* per machine */
    uint32_t *mark;        /* per bit: the effect that concerned it in this step, plus 1 */
    bool doomed;           /* paper's reading, after a conflict */
};

enum step_result { STEP_OK, STEP_STUCK, STEP_VIOLATION, STEP_CONFLICT };

struct conflict {
    uint32_t bit, permitting, prohibiting; /* ground rules */
};

/* The state at the start, kept by the system, and what came of it: STEP_OK or STEP_CONFLICT. It may
 * be changed and rewound to 0 changes. */
struct full_state *system_start(const struct system *system, enum step_result *result,
                                struct conflict *conflict);
/* STEP_OK or STEP_CONFLICT (rules disagree on the empty history). */
enum step_result full_state_start(const struct system *system, struct full_state *out,
                                  struct conflict *conflict);
/* Reads one letter; `message` is noted in the reasons. */
enum step_result full_state_step(const struct system *system, struct full_state *state,
                                 uint32_t letter, uint32_t message, struct conflict *conflict);
/* Takes back every change past the first `mark` noted ones. */
void full_state_rewind(struct full_state *state, size_t mark);
void full_state_free(struct full_state *state);
