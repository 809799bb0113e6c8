/* See example.h. A slice is preferred (its duration), then two events and a counter between them,
 * then a bound that a variable keeps. */
#include "trace/example.h"
#include "base/data/quote.h"
#include "base/data/text.h"
#include <math.h>
#include <string.h>

/* A name as the property language reads it. */
static void add_name(tac_str *out, const char *name)
{
    bool plain = (*name >= 'a' && *name <= 'z') || (*name >= 'A' && *name <= 'Z') || *name == '_';
    for (const char *at = name; *at && plain; at++)
        plain = (*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z') || *at == '_' ||
                (*at >= '0' && *at <= '9');
    if (plain)
        tac_str_add(out, name);
    else
        tac_str_addf(out, "`%s`", name);
}

static void add_quoted(tac_str *out, const char *text)
{
    tac_str_add(out, "\"");
    tac_quote_property(out, text);
    tac_str_add(out, "\"");
}

static void add_event(tac_str *out, const char *name)
{
    tac_str_add(out, "event == ");
    add_quoted(out, name);
}

/* The slice that closes most often: its begin and end are both there. */
static const char *usual_slice(const tac_trace_event_count *events, size_t count)
{
    const tac_trace_event_count *best = NULL;
    for (size_t i = 0; i < count; i++)
        if (!strncmp(events[i].name, "end:", 4) && (!best || events[i].count > best->count))
            best = &events[i];
    return best ? best->name + 4 : NULL;
}

/* A bound a little above what was seen, with two digits. */
static double round_up(double value)
{
    if (!(value > 0))
        return value < 0 ? 0 : 1;
    double scale = pow(10, floor(log10(value)) - 1);
    return ceil(value * 1.05 / scale) * scale;
}

static void add_bound(tac_str *out, double value, const char *unit)
{
    char number[32];
    tac_str_add(out, tac_double_text(round_up(value), number, sizeof number));
    if (*unit)
        tac_str_addf(out, " %s", unit);
}

static size_t usual_counter(const tac_trace_variable *variables, const double *greatest,
                            size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (variables[i].kind == TAC_CONTINUOUS && !isnan(greatest[i]) &&
            strcmp(variables[i].name, "dur"))
            return i;
    return SIZE_MAX;
}

void example_property(const tac_trace_variable *variables, const double *greatest, size_t count,
                      const tac_trace_event_count *events, size_t event_count, tac_str *out)
{
    const char *slice = usual_slice(events, event_count);
    size_t counter = usual_counter(variables, greatest, count);
    if (slice) {
        tac_str_add(out, "property slices_are_short: forall [slice ");
        add_quoted(out, slice);
        tac_str_add(out, "] duration < 16.6 ms");
    } else if (counter != SIZE_MAX && event_count >= 2) {
        tac_str_add(out, "property is_cheap: forall [");
        add_event(out, events[0].name);
        tac_str_add(out, ", ");
        add_event(out, events[1].name);
        tac_str_add(out, "] diff(");
        add_name(out, variables[counter].name);
        tac_str_add(out, ") < ");
        add_bound(out, greatest[counter], variables[counter].unit);
    } else if (counter != SIZE_MAX) {
        tac_str_add(out, "property stays_below: always (");
        add_name(out, variables[counter].name);
        tac_str_add(out, " < ");
        add_bound(out, greatest[counter], variables[counter].unit);
        tac_str_add(out, ")");
    } else if (event_count) {
        tac_str_add(out, "property happens: always eventually[<= 10 s] (");
        add_event(out, events[0].name);
        tac_str_add(out, ")");
    }
}
