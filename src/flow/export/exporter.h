/* What the exporters of flows share: a string builder, the state of one export, and how an action
 * names its element. One file per format: export_FORMAT.c. */
#ifndef TAC_FLOW_EXPORTER_H
#define TAC_FLOW_EXPORTER_H

#include "base/data/str.h"
#include "tactus/flow_export.h"

struct tac_exporter {
    const struct export_format *format;
    FILE *out;
    char *name;      /* of the flow file, without folder and ending */
    uint64_t flows;  /* so far */
    uint64_t unsaid; /* actions that the format cannot express */
    tac_str text;    /* what is not yet written */
};

struct export_format {
    const char *name, *suffix;
    void (*begin)(tac_exporter *exporter);
    void (*flow)(tac_exporter *exporter, const tac_flow *flow);
    void (*end)(tac_exporter *exporter);
};

extern const struct export_format export_maestro, export_webdriver, export_wdio, export_uiautomator,
    export_promela;

/* How an element is found, taken from an action's attributes and, where they are missing, from an
 * XPath of the simple form //CLASS[@attribute='value' and ...][INDEX]. Texts are NULL when unknown;
 * owned. */
struct locator {
    char *resource_id, *text, *description, *class_name;
    int index;         /* from 0; -1 when not given */
    const char *xpath; /* as written, borrowed; NULL when absent */
    bool complete;     /* the other members say all that the XPath says */
};

void locator_of(const tac_model_action *action, struct locator *out);
void locator_free(struct locator *locator);
/* An XPath for any locator; the caller's. NULL when there is nothing to find. */
char *locator_xpath(const struct locator *locator);

/* The actions of a step. A step without any is performed by its name: "back" and "home" press that
 * key, a system event waits, and any other clicks on the element with that text. */
const tac_model_action *step_actions(const tac_flow_step *step, tac_model_action *stand_in,
                                     size_t *count);
/* The devices of a flow, at most `most`; returns how many. */
size_t flow_devices(const tac_flow *flow, const char **devices, size_t most);
/* Quoted for YAML, JSON, JavaScript and Java alike: "..." with \ and control characters escaped. */
void add_quoted(tac_str *out, const char *text);
/* The same for a comment: control characters and comment ends are replaced. */
void add_comment(tac_str *out, const char *text);
/* Letters, digits and underscores; a leading digit gets an underscore. */
void add_identifier(tac_str *out, const char *text);
/* The package of the app that a device starts; "" when the flow does not say. */
const char *flow_package(const tac_flow *flow, const char *device);

#endif
