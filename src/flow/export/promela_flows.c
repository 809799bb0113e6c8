/* Flows as Promela: a process that performs one of the flows, event by event, so that the flows of
 * a file can be composed with other Promela models or compared with those of a model. */
#include "flow/export/exporter.h"
#include "flow/file.h"

static void begin(tac_exporter *exporter)
{
    tac_str_add(&exporter->text,
                "/* One of the flows is performed; `steps` counts its events.\n"
                " *   spin -a FILE && cc -w -DSAFETY -DPRINTF -o pan pan.c && ./pan */\n"
                "int steps;\n\n"
                "#define perform(text) d_step { steps++; printf(text) }\n\n"
                "active proctype flows() {\n    if\n");
}

static void end(tac_exporter *exporter)
{
    if (!exporter->flows)
        tac_str_add(&exporter->text, "    :: skip\n");
    tac_str_add(&exporter->text, "    fi\n}\n");
}

static void flow(tac_exporter *exporter, const tac_flow *flow)
{
    tac_str *out = &exporter->text;
    const char *devices[64];
    bool several = flow_devices(flow, devices, 64) > 1;
    tac_str_addf(out, "    :: printf(\"FLOW %s:\")", tac_flow_kind_name(flow->kind));
    for (size_t i = 0; i < flow->step_count; i++) {
        tac_str text = {0};
        tac_str_addf(&text, " %s%s%s", several ? flow->steps[i].device : "", several ? ":" : "",
                     flow->steps[i].event);
        tac_str_add(out, ";\n       perform(");
        for (char *c = text.text; *c; c++)
            if (*c == '%')
                *c = '_';
        tac_str_add_char(out, '"');
        tac_quote_c(out, tac_str_text(&text));
        tac_str_add_char(out, '"');
        tac_str_add(out, ")");
        tac_str_free(&text);
    }
    tac_str_add(out, ";\n       printf(\"\\n\")\n");
}

const struct export_format export_promela = {
    .suffix = ".pml", .tool = "Promela", .begin = begin, .flow = flow, .end = end};
