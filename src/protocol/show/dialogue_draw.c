/* Drawing a dialogue: text with arrows, SVG with two time lines, or JSON. */
#include "base/check.h"
#include "base/io/xml.h"
#include "base/print/print.h"
#include "protocol/show/dialogue.h"

#define WIDTH 1060
#define LEFT_LINE 150
#define RIGHT_LINE 730
#define ROW 24

static void indent(FILE *out, uint32_t depth)
{
    for (uint32_t i = 0; i < depth && i < 20; i++)
        fputs("  ", out);
}

tac_status tac_recording_draw_text(const tac_recording *recording, const tac_recording_view *view,
                                   FILE *out, tac_error *err)
{
    struct dialogue d;
    tac_status status = dialogue_build(recording, view, &d, err);
    if (status != TAC_OK)
        return status;
    tac_print(out, "framework                                                   app\n");
    for (size_t i = 0; i < d.lines.count; i++) {
        const struct dialogue_line *l = &d.lines.at[i];
        if (l->kind == DIALOGUE_EVENT) {
            tac_print(out, "-- event %zu: %s%s\n", l->count, l->text,
                      l->raised ? " (ends in an exception)" : "");
            continue;
        }
        fputs("   ", out);
        indent(out, l->depth);
        if (l->kind == DIALOGUE_SKIP)
            tac_print(out, "   (%zu call%s that no rule mentions)\n", l->count,
                      l->count == 1 ? "" : "s");
        else if (l->kind == DIALOGUE_EFFECT)
            tac_print(out, "     * %s\n", l->text);
        else
            tac_print(out, "%s %s%s%s%s\n",
                      l->kind == DIALOGUE_RIGHT ? l->is_return ? "- ->" : "--->"
                      : l->is_return            ? "<- -"
                                                : "<---",
                      l->text, l->raised ? " (exception)" : "", l->place ? "   at " : "",
                      l->place ? l->place : "");
    }
    if (d.events_shown < d.events_total)
        tac_print(out, "%zu of %zu events shown\n", d.events_shown, d.events_total);
    dialogue_free(&d);
    return TAC_OK;
}

static void svg_text(FILE *out, int x, int y, const char *anchor, const char *class_name,
                     const char *text)
{
    tac_str escaped = {0};
    tac_xml_escape(&escaped, text);
    fprintf(out, "<text x=\"%d\" y=\"%d\" text-anchor=\"%s\" class=\"%s\">%s</text>\n", x, y,
            anchor, class_name, tac_str_text(&escaped));
    tac_str_free(&escaped);
}

static void svg_row(FILE *out, const struct dialogue_line *l, int y)
{
    char text[160];
    switch (l->kind) {
    case DIALOGUE_EVENT:
        fprintf(out, "<rect x=\"8\" y=\"%d\" width=\"%d\" height=\"1\" class=\"rule\"/>\n", y - 15,
                WIDTH - 16);
        svg_text(out, 12, y + 2, "start", "event", l->text);
        return;
    case DIALOGUE_SKIP:
        snprintf(text, sizeof text, "%zu call%s that no rule mentions", l->count,
                 l->count == 1 ? "" : "s");
        svg_text(out, (LEFT_LINE + RIGHT_LINE) / 2, y, "middle", "skip", text);
        return;
    case DIALOGUE_EFFECT:
        svg_text(out, RIGHT_LINE + 14, y, "start", "effect", l->text);
        return;
    case DIALOGUE_RIGHT:
    case DIALOGUE_LEFT: {
        bool right = l->kind == DIALOGUE_RIGHT;
        fprintf(out,
                "<line x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\" class=\"%s\" "
                "marker-end=\"url(#head)\"/>\n",
                right ? LEFT_LINE : RIGHT_LINE, y + 4, right ? RIGHT_LINE - 2 : LEFT_LINE + 2,
                y + 4,
                l->raised      ? "raised"
                : l->is_return ? "return"
                               : "call");
        svg_text(out, (LEFT_LINE + RIGHT_LINE) / 2, y, "middle", "message", l->text);
        if (l->place)
            svg_text(out, RIGHT_LINE + 14, y, "start", "place", l->place);
        return;
    }
    }
}

tac_status tac_recording_draw_svg(const tac_recording *recording, const tac_recording_view *view,
                                  FILE *out, tac_error *err)
{
    struct dialogue d;
    tac_status status = dialogue_build(recording, view, &d, err);
    if (status != TAC_OK)
        return status;
    int height = 60 + ROW * (int)(d.lines.count < 100000 ? d.lines.count : 100000);
    fprintf(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d "
        "%d\" role=\"img\" aria-label=\"dialogue of framework and app\">\n"
        "<style>text{font:12px sans-serif;fill:#1b1b1b}.head{font-weight:bold;font-size:14px}"
        ".event{font-weight:bold;fill:#0b4f8a}.effect{fill:#7a3b00}.place,.skip{fill:#5a5a5a;"
        "font-style:italic}.call{stroke:#1b1b1b;stroke-width:1.4}.return{stroke:#777;"
        "stroke-dasharray:5 4}.raised{stroke:#b3261e;stroke-dasharray:5 4}.lane{stroke:#999;"
        "stroke-width:2}.rule{fill:#ddd}</style>\n"
        "<defs><marker id=\"head\" viewBox=\"0 0 10 10\" refX=\"9\" refY=\"5\" markerWidth=\"7\" "
        "markerHeight=\"7\" orient=\"auto-start-reverse\"><path d=\"M0 0L10 5L0 10z\"/></marker>"
        "</defs>\n<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n",
        WIDTH, height, WIDTH, height, WIDTH, height);
    svg_text(out, LEFT_LINE, 22, "middle", "head", "framework");
    svg_text(out, RIGHT_LINE, 22, "middle", "head", "app");
    fprintf(out,
            "<line x1=\"%d\" y1=\"30\" x2=\"%d\" y2=\"%d\" class=\"lane\"/>\n"
            "<line x1=\"%d\" y1=\"30\" x2=\"%d\" y2=\"%d\" class=\"lane\"/>\n",
            LEFT_LINE, LEFT_LINE, height - 10, RIGHT_LINE, RIGHT_LINE, height - 10);
    for (size_t i = 0; i < d.lines.count && i < 100000; i++)
        svg_row(out, &d.lines.at[i], 54 + ROW * (int)i);
    fprintf(out, "</svg>\n");
    dialogue_free(&d);
    return TAC_OK;
}

/* --- as a document --- */

static const char *const kinds[] = {[DIALOGUE_EVENT] = "event",
                                    [DIALOGUE_RIGHT] = "to_app",
                                    [DIALOGUE_LEFT] = "to_framework",
                                    [DIALOGUE_EFFECT] = "effect",
                                    [DIALOGUE_SKIP] = "unmentioned"};
TABLE_COVERS(kinds, DIALOGUE_SKIP);

#define OF_KIND(which) .key = "return", .only = IF_IS(struct dialogue_line, kind, which)
static const struct field dialogue_line_fields[] = {
    FIELD_ENUM(struct dialogue_line, kind, kinds),
    FIELD(struct dialogue_line, depth),
    FIELD(struct dialogue_line, text, .only = IF(struct dialogue_line, text)),
    FIELD(struct dialogue_line, count, .omit = true),
    FIELD(struct dialogue_line, is_return, OF_KIND(DIALOGUE_RIGHT)),
    FIELD(struct dialogue_line, is_return, OF_KIND(DIALOGUE_LEFT)),
    FIELD(struct dialogue_line, raised, .omit = true),
    FIELD(struct dialogue_line, place, .key = "line", .only = IF(struct dialogue_line, place))};
static DESCRIBE(dialogue_line, struct dialogue_line);

struct dialogue_document {
    tac_recording_facts facts;
    bool truncated;
    struct dialogue dialogue;
};
static const struct field dialogue_fields[] = {
    FIELDS(struct dialogue_document, facts.messages, facts.toplevel_callbacks,
           facts.raised_callbacks, truncated),
    FIELD_LIST(struct dialogue_document, dialogue.lines.at, dialogue.lines.count,
               dialogue_line_described, .key = "dialogue")};
DESCRIBE(dialogue, struct dialogue_document);

json_t *tac_recording_json(const tac_recording *recording, const tac_recording_view *view)
{
    struct dialogue_document document = {.facts = tac_recording_look(recording)};
    document.truncated = document.facts.truncated || document.facts.dropped_messages;
    if (dialogue_build(recording, view, &document.dialogue, NULL) != TAC_OK)
        document.dialogue = (struct dialogue){0};
    json_t *json = describe_json(&dialogue_described, &document);
    dialogue_free(&document.dialogue);
    return json;
}
