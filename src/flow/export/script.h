/* What the files of exported JavaScript share. */
#pragma once

#include "flow/export/exporter.h"

enum call {
    CALL_CLICK,
    CALL_CHOOSE, /* an option */
    CALL_DOUBLE_CLICK,
    CALL_HOVER,
    CALL_LONG_CLICK,
    CALL_DRAG, /* @ to # */
    CALL_FILL, /* @ with # */
    CALL_PRESS,
    CALL_TYPE,
    CALL_WHEEL, /* @ by # */
    CALL_WHEEL_PAGE,
    CALL_SWIPE,
    CALL_SWIPE_PAGE,
    CALL_BACK,
    CALL_START,
    CALL_FRONT,
    CALL_RELOAD,
    CALL_PAUSE,
    CALL_SEE,
    CALL_EXPECT, /* the script @ in the page; # is the condition */
    CALL_DEVICE
};
enum { CALLS = CALL_DEVICE + 1 };

struct script {
    tac_exporter *exporter;
    const char *const *calls;
    tac_export_platform platform;
    const char *package;
    bool playwright;
};

/* script_steps.c: quoted for JavaScript; the text of script_string is the caller's. */
void script_add_string(tac_str *out, const char *text);
char *script_string(const char *text);
const char *script_indent(const struct script *in);
/* The call's line; false when the tool has no such call. */
bool script_add_call(const struct script *in, enum call call, const char *first,
                     const char *second);
/* The action fails in the script, with its reason, and is listed. */
void script_refuse(const struct script *in, const tac_model_action *action);
/* The expression that finds the element, the caller's; NULL: it cannot be expressed. option: it is
 * one of a choice. */
char *script_element(const struct script *in, const tac_model_action *action, bool *option);
void script_open(const struct script *in, enum call call); /* the app */
void script_wait(const struct script *in, double seconds);
void script_add_action(const struct script *in, const tac_model_action *action);
