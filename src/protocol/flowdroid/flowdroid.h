/* Shared by the parts of FlowDroid's model of a recording: its life cycles, the objects that the
 * recording shows, the rules about them. flowdroid.c says what the model is. */
#pragma once

#include "base/data/alloc.h"
#include "protocol/system/grounding.h"

/* The model lifecycle++: its rules about callbacks, added to the grounding. */
void flowdroid_rules(const struct recording *recording, struct grounding *grounding, bool search);
/* Why it refuses, for the explanation of a verdict. */
const char *model_cause_name(enum model_cause cause);

#define FLOWDROID_STEPS 16 /* of a life cycle, the one before its first included */

struct flowdroid_component {
    uint32_t object; /* identity */
    bool is_fragment;
    uint32_t host;                    /* of a fragment: identity, or TAC_NONE */
    u32_vec letters[FLOWDROID_STEPS]; /* per step: the letters of its callback on this object */
};

struct flowdroid_link {
    uint32_t from, to;
};

struct flowdroid {
    const struct recording *recording;
    struct grounding *grounding;
    TAC_VEC(struct flowdroid_component) components;
    tac_u64map by_object; /* identity -> index in components, plus 1 */
    tac_names listed;     /* classes of callbacks */
    tac_u64map links;     /* pairs of identities: from << 32 | to */
    TAC_VEC(struct flowdroid_link) pairs;
    u32_vec letter_listener; /* listed callback letters */
};

/* "ret pkg.Cls.name(...)" */
/* The identity of a call's i-th value. */
uint32_t flowdroid_value(const struct recording *r, const struct call *call, uint32_t i);

/* cycle.c: steps by number, 0 is the one before the first. */
int flowdroid_step_named(bool is_fragment, const char *name, size_t length); /* -1: none */
void flowdroid_add_cycle(struct flowdroid *f, const struct flowdroid_component *c);
/* One activity at a time. */
void flowdroid_add_activities(struct flowdroid *f);
/* A fragment starts between its host's onCreate and what follows; meanwhile the host waits, and so
 * do the host's other fragments. */
void flowdroid_add_fragment(struct flowdroid *f, const struct flowdroid_component *c);

/* objects.c */
void flowdroid_read_list(struct flowdroid *f);
/* Life cycle callbacks and listed callbacks among the letters. */
void flowdroid_note_letter(struct flowdroid *f, uint32_t letter);
/* Who reaches whom: views, fragments, and listeners passed while one is called back. */
void flowdroid_note_links(struct flowdroid *f);

/* flowdroid.c: targets are permitted (or forbidden) after one of `when`; NULL: at the start. */
void flowdroid_add_rule(struct flowdroid *f, const u32_vec *when, const u32_vec *targets,
                        bool permits, enum model_cause cause);
