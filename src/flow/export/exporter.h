/* What the exporters of flows share: a string builder, the state of one export, how an action names
 * its element, keys. One file per format; the fixed parts of what they write are templates (.in),
 * in which @NAME@ is the name of the suite and a line "@@" is where the flows go. */
#pragma once

#include "base/data/quote.h"
#include "base/data/str.h"
#include "base/locator/locator.h"
#include "flow/export.h"

struct tac_exporter {
    const struct export_format *format;
    tac_export_options options;
    FILE *out;
    char *name;         /* of the suite */
    const char *device; /* only the steps of this one, the others' as notes; NULL = all */
    uint64_t flows;     /* so far */
    uint64_t unsaid;    /* actions that the format cannot express */
    bool on_pages;      /* a flow of this export is about a page */
    tac_str text;       /* what is not yet written */
};

struct export_format {
    const char *suffix;
    bool one_device;      /* a file is of one device */
    bool suite_is_a_name; /* the file's name must be the suite's, an identifier that starts big */
    void (*begin)(tac_exporter *exporter);
    void (*flow)(tac_exporter *exporter, const tac_flow *flow);
    void (*end)(tac_exporter *exporter);
};

extern const struct export_format export_maestro, export_webdriver, export_wdio, export_uiautomator,
    export_promela;

/* --- Elements --- */

/* An element of a locator. */
struct element {
    const tac_condition *own[TAC_PART_CLASS + 1]; /* on its id, label, text and class; or NULL */
    const tac_condition *held;                    /* on what something inside says, or NULL */
    unsigned abilities;                           /* bits 1 << part */
    bool top, child;                              /* the hierarchy itself; not just below another */
    uint32_t place;                               /* among the children, from 1; 0 = any */
};

/* How an element is found, taken from an action's attributes and its XPath. */
struct target {
    const char *xpath; /* as written, borrowed; NULL when absent */
    tac_locator locator;
    struct element *elements; /* owned */
    size_t count;
    const struct element *last; /* the one that is meant */
    uint32_t place;             /* among all that fit, from 1; 0 = not given */
    bool one;                   /* what is known of the last element, and its place, say it all */
    bool tree;                  /* not so, but the elements do */
};

void target_of(const tac_model_action *action, struct target *out);
void target_free(struct target *target);
/* By an id, a label, a text or a class. */
bool element_is_named(const struct element *element);
/* An XPath for the platform; the caller's. NULL when there is nothing to find, or no way to say it
 * there. */
char *target_xpath(const struct target *target, tac_export_platform platform);

bool action_has_element(const tac_model_action *action);
/* The app is closed and opened; its data stays. */
bool action_restarts(const tac_model_action *action);

/* --- Keys --- */

struct export_key {
    const char *name, *android; /* KEYCODE_ and this */
    int code;                   /* Android's number */
    uint32_t webdriver;         /* code point of W3C WebDriver; 0 = none */
    const char *maestro;        /* or NULL */
};

/* NULL when the name is not known. */
const struct export_key *export_key_of(const char *name);

/* --- Pages (page.c) --- */

/* An element of a page that is not named by an XPath. */
bool page_name_of(const tac_model_action *action, tac_locator *out);

enum { PAGE_CHORD_MAX = 6 };
/* W3C WebDriver's code points of "Control+Shift+a", modifiers first; how many, 0 when there is no
 * such key. */
size_t page_chord(const char *name, uint32_t codes[PAGE_CHORD_MAX]);
/* What a key action types into what has the focus, borrowed; NULL when it presses a key. */
const char *page_typed_text(const tac_model_action *action);

/* --- Flows --- */

/* The actions of a step. A step without any is performed by its name: "back" and "home" press that
 * key, a system event waits, and any other clicks on the element with that text. */
const tac_model_action *step_actions(const tac_flow_step *step, tac_model_action *stand_in,
                                     size_t *count);
/* The devices of a flow, at most `most`; returns how many. */
size_t flow_devices(const tac_flow *flow, const char **devices, size_t most);
/* The package of the app that a device starts; "" when the flow does not say. */
const char *flow_package(const tac_flow *flow, const char *device);
tac_export_platform platform_of(const tac_exporter *exporter, const char *package);
/* The page that a web flow starts at; the caller's. */
char *start_page(const tac_exporter *exporter, const char *package);
/* How far a finger moves or a wheel turns for a scroll or swipe; scrolling down moves a finger up.
 */
struct export_move {
    int dx, dy;
};
struct export_move finger_move(const tac_model_action *action);
/* Seconds of a wait without an element. */
double wait_seconds(const tac_model_action *action);

/* The part of a template before (part 0) or behind (part 1) its line "@@". */
void add_template(tac_str *out, const char *template, int part, const char *name);
/* Letters, digits and underscores; a leading digit gets an underscore. */
void add_identifier(tac_str *out, const char *text);
