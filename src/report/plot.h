/* Pictures of traces: a variable over time, one curve per trace, with the intervals of a property,
 * its bound and what is left of it (figures 8 to 11 of the interaction-model paper).
 *
 *   traces --tac_plot_new, tac_plot_add--> tac_plot --tac_plot_svg--> SVG
 *                                                   --tac_plot_json--> the same figures as data
 *
 * A plot keeps a bounded number of points per trace (first, least, greatest and last value of each
 * of about a thousand stretches), so that no peak is lost and memory does not depend on the length
 * of the traces. */
#pragma once

#include "tactus/property.h"

typedef struct tac_plot tac_plot;

typedef struct tac_plot_options {
    const char *variable; /* a continuous variable, or a `let` of definitions; required */
    const tac_properties *definitions; /* units and `let` names; NULL = those of properties */
    const tac_properties *properties;  /* NULL = curves only; must outlive tac_plot_add */
    size_t property;                   /* index in properties */
    const char *title;                 /* NULL = the property's text, or the variable */
    unsigned width, height;            /* of the picture in pixels; 0 = 960 by 480 */
} tac_plot_options;

tac_plot *tac_plot_new(const tac_plot_options *options);
/* Reads one trace to its end. Its time counts from its first state. */
tac_status tac_plot_add(tac_plot *plot, const char *path, const tac_trace_options *options,
                        tac_watch *watch, tac_error *err);
/* A complete SVG document with a text equivalent (<title>, <desc>). */
tac_status tac_plot_svg(const tac_plot *plot, FILE *out, tac_error *err);
/* {"variable","unit","property","traces":[{"trace","name","group","start","points":[[t,value],...],
 * "intervals":[{"t_from","t_to","from_event","to_event","start","end","threshold","margin","holds"}],
 * "interval_count","verdict","stretches":[{"t_from","t_to","holds"}],"events":[{"t","event"}]}]};
 * the caller's. stretches: where a temporal property was decided or waits. t in seconds since the
 * trace's start; threshold and margin null where the property has no bound on this variable. */
json_t *tac_plot_json(const tac_plot *plot);
void tac_plot_free(tac_plot *plot); /* NULL is fine */
