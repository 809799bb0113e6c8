/* Inside the certificate checker. */
#pragma once

#include "protocol/check/check.h"
#include "tactus/protocol.h"

struct check_effect {
    uint32_t letter;
    bool permits;
};

/* A machine as the certificate gives it. */
struct check_machine {
    uint32_t states, classes, initial;
    bool fires_at_start, restless;
    uint32_t *next, *fires;
    TAC_VEC(struct check_effect) effects;
    check_vec letters, letter_class;
};

struct check_cone {
    uint32_t *tracked; /* per letter: its place in a state's text, from 1; 0 = untracked */
    uint8_t *target;   /* per letter */
    size_t message_count;
    uint32_t with_memory; /* the first machines, whose states are part of a state */
    TAC_VEC(struct check_machine) machines;
};

struct own_automaton {
    bool made, fires_ever;
    check_vec letters;
    struct check_dfa dfa;
};

struct checker {
    const struct spec_set *specs;
    const struct recording *recording;
    struct recording *completed; /* with assumed callbacks: then it is `recording`; owned */
    struct check_rules rules;
    struct own_automaton *own; /* per rule */
    tac_names texts;           /* of the letters, numbered alike */
    const char *target;        /* only calls whose signature holds this text; NULL = all */
    bool as_recorded;
    uint8_t *claimed; /* per letter: a target of some cone */
    check_vec proved; /* letters: the obligations, each met */
    size_t cones, states;
    bool rejected;
    tac_str reason;
    tac_status status; /* of the work itself: limits, interruption */
    tac_error *err;
};

/* Grounds the rules once; then any number of certificates can be judged. Release with
 * checker_close. */
tac_status checker_open(const tac_protocol_rules *rules, const tac_recording *recording,
                        const tac_protocol_options *options, struct checker *out, tac_error *err);
/* Sets rejected and reason; the status is of the work itself. */
tac_status checker_judge(struct checker *checker, const json_t *document, tac_watch *watch);
void checker_close(struct checker *checker);

void check_reject(struct checker *checker, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static inline bool check_listed(const check_vec *letters, uint32_t letter)
{
    for (size_t i = 0; i < letters->count; i++)
        if (letters->at[i] == letter)
            return true;
    return false;
}

/* --- read_cone.c --- */
/* Rejects what is malformed; in any case the cone is freed with check_cone_free. */
void check_cone_read(struct checker *checker, const json_t *json, struct check_cone *cone);
void check_cone_free(struct check_cone *cone);

/* --- machines.c --- */
uint32_t check_machine_class(const struct check_machine *machine, uint32_t letter);
/* The automaton of an own rule, made on first use. */
const struct own_automaton *check_own_automaton(struct checker *checker, uint32_t rule);
/* (1a) Every effect of every machine is an own rule with that very language. */
void check_effects(struct checker *checker, const struct check_cone *cone);
/* (1b) Every own rule about a tracked message has its machine. */
void check_complete(struct checker *checker, const struct check_cone *cone);

/* --- states.c --- */
/* (2) and (3): the states hold the start, are closed, and call no prohibited target. */
void check_states(struct checker *checker, const struct check_cone *cone, const json_t *states,
                  tac_watch *watch);
