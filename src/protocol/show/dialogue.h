/* The lines of a dialogue drawing, for text and SVG alike. */
#pragma once

#include "base/describe/describe.h"
#include "protocol/problem/problem.h"

enum dialogue_kind {
    DIALOGUE_EVENT,  /* an event begins; text is its name */
    DIALOGUE_RIGHT,  /* framework to app: a callback, or the return of a call */
    DIALOGUE_LEFT,   /* app to framework: a call, or the return of a callback */
    DIALOGUE_EFFECT, /* what the rules changed: text */
    DIALOGUE_SKIP    /* messages that no rule mentions: count */
};

struct dialogue_line {
    enum dialogue_kind kind;
    bool is_return, raised;
    uint32_t depth;
    size_t count;
    char *text;  /* owned */
    char *place; /* where in the app, or NULL; owned */
};

struct dialogue {
    TAC_VEC(struct dialogue_line) lines;
    size_t events_shown, events_total;
};

tac_status dialogue_build(const tac_recording *recording, const tac_recording_view *view,
                          struct dialogue *out, tac_error *err);
void dialogue_free(struct dialogue *dialogue);
DESCRIBED(dialogue, struct dialogue_document); /* of `tactus protocol show --json` */
