/* Reading observables from one look at the screen.
 *
 * An XPath is answered on the snapshot, css by the driver (a browser), which gives both from one
 * moment. All XPaths of a look share one document. What a text is, is the same everywhere: runs of
 * blanks are one space, none at the ends, as a person reads it. */
#include "base/data/alloc.h"
#include "base/data/str.h"
#include "base/data/text.h"
#include "base/data/vec.h"
#include "device/driver.h"
#include "device/hierarchy.h"
#include "trace/trace.h"
#include <math.h>
#include <string.h>

/* How long the blank is that stands here, if any: those of Unicode, as pages squeeze them. */
static size_t blank(const char *text)
{
    static const char *const wide[] = {"\xc2\xa0",     "\xe1\x9a\x80", "\xe2\x80\xa8",
                                       "\xe2\x80\xa9", "\xe2\x80\xaf", "\xe2\x81\x9f",
                                       "\xe3\x80\x80", "\xef\xbb\xbf"};
    if (*text == ' ' || (*text >= '\t' && *text <= '\r'))
        return 1;
    if (!strncmp(text, "\xe2\x80", 2) && (unsigned char)text[2] >= 0x80 &&
        (unsigned char)text[2] <= 0x8a)
        return 3; /* U+2000 to U+200A */
    for (size_t i = 0; i < sizeof wide / sizeof *wide; i++)
        if (!strncmp(text, wide[i], strlen(wide[i])))
            return strlen(wide[i]);
    return 0;
}

/* Appends the text, squeezed, with a space before it where something stands already. */
static void add_squeezed(tac_str *out, const char *text)
{
    bool space = out->length > 0;
    for (; *text; text++) {
        size_t length = blank(text);
        if (length) {
            space = out->length > 0;
            text += length - 1;
            continue;
        }
        if (space && out->length)
            tac_str_add_char(out, ' ');
        space = false;
        tac_str_add_char(out, *text);
    }
}

/* A choice of a closed list that is not the chosen one: nobody sees it. */
static bool passed_over(const tac_ui_node *node)
{
    return !strcmp(node->class_name, "web.Option") && !(node->flags & TAC_UI_SELECTED);
}

/* The node's text; where it has none, those inside it. */
static char *node_text(const tac_ui *ui, uint32_t node)
{
    tac_str out = {0};
    add_squeezed(&out, ui->nodes[node].text);
    for (uint32_t i = node + 1; !*ui->nodes[node].text && i < ui->count; i++) {
        uint32_t above = ui->nodes[i].parent;
        while (above != TAC_UI_NONE && above > node)
            above = ui->nodes[above].parent;
        if (above != node)
            break; /* document order: what is inside stands together */
        if (!passed_over(&ui->nodes[i]))
            add_squeezed(&out, ui->nodes[i].text);
    }
    return out.length ? tac_str_take(&out) : tac_strdup("");
}

static bool digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Whether the character that ends before `at` is a letter. Of those beyond ASCII all are taken for
 * one but signs of Latin-1, blocks of punctuation, currencies, arrows and symbols, and emoji. */
static bool letter_before(const char *text, const char *at)
{
    static const uint32_t others[][2] = {{0x80, 0xbf},     {0xd7, 0xd7},     {0xf7, 0xf7},
                                         {0x2000, 0x2bff}, {0x3000, 0x3004}, {0x3008, 0x3030},
                                         {0xfe00, 0xfe6f}, {0xfeff, 0xff20}, {0x1f000, 0x1faff}};
    if (at == text)
        return false;
    unsigned char last = (unsigned char)at[-1];
    if (last < 0x80)
        return (last >= 'a' && last <= 'z') || (last >= 'A' && last <= 'Z');
    uint32_t code = 0;
    unsigned shift = 0;
    while (--at > text && ((unsigned char)*at & 0xc0) == 0x80 && shift < 18) {
        code |= (uint32_t)((unsigned char)*at & 0x3f) << shift;
        shift += 6;
    }
    code |= (uint32_t)((unsigned char)*at & (shift == 6    ? 0x1f
                                             : shift == 12 ? 0x0f
                                                           : 0x07))
            << shift;
    if (code == 0xaa || code == 0xb5 || code == 0xba)
        return true;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (code >= others[i][0] && code <= others[i][1])
            return false;
    return true;
}

/* A sign ends before `at`: '-' or the minus of typography, and neither a letter nor a digit before
 * it, which would make it a hyphen. */
static bool minus_before(const char *text, const char *at)
{
    static const char minus[] = "\xe2\x88\x92";
    size_t length = at > text && at[-1] == '-'                    ? 1
                    : at - text >= 3 && !memcmp(at - 3, minus, 3) ? 3
                                                                  : 0;
    if (!length)
        return false;
    const char *before = at - length;
    return before == text || !(digit(before[-1]) || letter_before(text, before));
}

/* ".5": the point belongs to the number, unless it ends a word. */
static bool point_before(const char *text, const char *at)
{
    return at > text && at[-1] == '.' &&
           (at - 1 == text || !(digit(at[-2]) || letter_before(text, at - 1) || at[-2] == '.'));
}

/* The digits of a number; commas between groups of three are passed over. One that begins with 0
 * has no groups: behind that the comma begins a fraction, or something else. */
static const char *take_digits(const char *at, tac_str *number)
{
    size_t whole = 0;
    bool groups = *at != '0';
    for (; digit(*at) || (*at == ',' && groups && whole <= 3 && digit(at[1]) && digit(at[2]) &&
                          digit(at[3]) && !digit(at[4]));
         at++) {
        whole = *at == ',' ? 0 : whole + 1;
        if (*at != ',')
            tac_str_add_char(number, *at);
    }
    return at;
}

/* The first number of a text. */
static bool first_number(const char *text, double *out)
{
    const char *at = text;
    while (*at && !digit(*at))
        at++;
    if (!*at)
        return false;
    tac_str number = {.cap = 400};
    bool fraction = point_before(text, at);
    if (minus_before(text, at - fraction))
        tac_str_add_char(&number, '-');
    if (fraction)
        tac_str_add(&number, "0.");
    at = take_digits(at, &number);
    if (!fraction && *at == '.' && digit(at[1]))
        for (tac_str_add_char(&number, *at++); digit(*at); at++)
            tac_str_add_char(&number, *at);
    bool is = tac_parse_double(tac_str_text(&number), out);
    tac_str_free(&number);
    return is;
}

/* An attribute as the dump writes it; NULL when there is none of that name. */
static char *node_attribute(const tac_ui_node *node, const char *name)
{
    static const struct {
        const char *name;
        uint32_t flag;
    } flags[] = {{"checkable", TAC_UI_CHECKABLE},   {"checked", TAC_UI_CHECKED},
                 {"clickable", TAC_UI_CLICKABLE},   {"enabled", TAC_UI_ENABLED},
                 {"focusable", TAC_UI_FOCUSABLE},   {"focused", TAC_UI_FOCUSED},
                 {"scrollable", TAC_UI_SCROLLABLE}, {"long-clickable", TAC_UI_LONG_CLICKABLE},
                 {"password", TAC_UI_PASSWORD},     {"selected", TAC_UI_SELECTED}};
    const struct {
        const char *name, *text;
    } texts[] = {{"text", node->text},
                 {"resource-id", node->resource_id},
                 {"class", node->class_name},
                 {"package", node->package},
                 {"content-desc", node->description}};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if (!strcmp(name, flags[i].name))
            return tac_strdup(node->flags & flags[i].flag ? "true" : "false");
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (!strcmp(name, texts[i].name))
            return tac_strdup(texts[i].text);
    if (!strcmp(name, "bounds"))
        return tac_format("[%d,%d][%d,%d]", node->left, node->top, node->right, node->bottom);
    return NULL;
}

void observed_text(tac_observed *out, char *text)
{
    *out = (tac_observed){.missing = !text, .number = NAN, .text = text};
}

void observed_number(tac_observed *out, double number)
{
    *out = (tac_observed){.missing = isnan(number), .number = number};
}

void observed_boolean(tac_observed *out, bool value)
{
    observed_text(out, tac_strdup(value ? "true" : "false"));
}

void observed_number_in(tac_observed *out, const char *text)
{
    double number = NAN;
    observed_number(out, first_number(text, &number) ? number : (double)NAN);
}

/* All marked nodes. */
static void read_texts(const tac_ui *ui, const bool *marks, tac_observed *out)
{
    TAC_VEC(char *) texts = {0};
    for (uint32_t i = 0; i < ui->count; i++)
        if (marks[i])
            tac_vec_push(&texts, node_text(ui, i));
    observed_text(out, tac_trace_list((const char *const *)texts.at, texts.count));
    for (size_t i = 0; i < texts.count; i++)
        free(texts.at[i]);
    tac_vec_free(&texts);
}

static void read_first(const tac_ui *ui, uint32_t node, const tac_observable *what,
                       tac_observed *out)
{
    const tac_ui_node *at = &ui->nodes[node];
    char *text = NULL;
    switch (what->kind) {
    case TAC_OBSERVE_TEXT:
        observed_text(out, node_text(ui, node));
        break;
    case TAC_OBSERVE_NUMBER:
        text = node_text(ui, node);
        observed_number_in(out, text);
        break;
    case TAC_OBSERVE_VALUE:
        observed_text(out, at->flags & TAC_UI_EDITABLE ? tac_strdup(at->text) : NULL);
        break;
    case TAC_OBSERVE_ENABLED:
    case TAC_OBSERVE_CHECKED:
        observed_boolean(
            out, at->flags & (what->kind == TAC_OBSERVE_ENABLED ? TAC_UI_ENABLED : TAC_UI_CHECKED));
        break;
    case TAC_OBSERVE_TEXTS:
    case TAC_OBSERVE_COUNT:
    case TAC_OBSERVE_VISIBLE:
    case TAC_OBSERVE_ATTRIBUTE:
        observed_text(out, node_attribute(at, what->attribute));
        break;
    }
    free(text);
}

/* Answers those that have an XPath. */
static tac_status observe_on_tree(const tac_ui *ui, const tac_observable *observables, size_t count,
                                  tac_observed *values, tac_error *err)
{
    struct ui_document *document = ui_document_new(ui);
    bool any;
    bool *marks = tac_calloc((size_t)ui->count + 1, sizeof *marks);
    tac_status status = TAC_OK;
    for (size_t i = 0; i < count && status == TAC_OK; i++) {
        const tac_observable *what = &observables[i];
        if (!what->xpath)
            continue;
        memset(marks, 0, ui->count * sizeof *marks);
        status = ui_document_mark(document, what->xpath, marks, &any, err);
        uint32_t matches = 0, first = TAC_UI_NONE;
        for (uint32_t node = 0; node < ui->count && status == TAC_OK; node++)
            if (marks[node] && matches++ == 0)
                first = node;
        if (status != TAC_OK)
            break;
        if (what->kind == TAC_OBSERVE_COUNT)
            observed_number(&values[i], matches);
        else if (what->kind == TAC_OBSERVE_VISIBLE)
            observed_boolean(&values[i], matches > 0);
        else if (what->kind == TAC_OBSERVE_TEXTS)
            read_texts(ui, marks, &values[i]);
        else if (matches)
            read_first(ui, first, what, &values[i]);
    }
    ui_document_free(document);
    free(marks);
    return status;
}

bool tac_device_has_css(const tac_device *device)
{
    return device->driver->observe != NULL;
}

bool tac_device_has_key(const tac_device *device, const char *name)
{
    return !device->driver->has_key || device->driver->has_key(device, name);
}

bool tac_device_media_plays(const tac_device *device)
{
    return !device->driver->media_plays || device->driver->media_plays(device);
}

tac_status tac_device_observe(tac_device *device, const tac_observable *observables, size_t count,
                              double deadline, tac_observed *values, const tac_ui **ui,
                              tac_error *err)
{
    const tac_ui *seen = NULL;
    tac_status status = TAC_OK;
    for (size_t i = 0; i < count; i++)
        values[i] = (tac_observed){.missing = true, .number = NAN};
    for (size_t i = 0; i < count && !device->driver->observe; i++)
        if (observables[i].css)
            return tac_fail(err, TAC_E_USAGE,
                            "'%s' is read by css:\"%s\", which only web pages know; on %s write an "
                            "XPath over the hierarchy",
                            observables[i].name, observables[i].css, device->uri);
    double within = deadline > 0 ? deadline : device->deadline;
    if (device->driver->observe)
        status = device->driver->observe(device, observables, count, within, values, &seen, err);
    else
        status = tac_device_snapshot(device, deadline, &seen, err);
    if (status == TAC_OK)
        status = observe_on_tree(seen, observables, count, values, err);
    if (status != TAC_OK)
        tac_observed_clear(values, count);
    else if (ui)
        *ui = seen;
    return status;
}
