/* Text inside other languages. See quote.h. */
#include "base/data/quote.h"
#include "base/data/visible.h"
#include <string.h>

/* Appends one character in the way of the language; text holds its bytes. */
typedef void (*write_glyph)(tac_str *out, const char *text, tac_glyph glyph);

static void each(tac_str *out, const char *text, write_glyph write)
{
    for (size_t left = strlen(text); left;) {
        tac_glyph glyph = tac_glyph_at(text, left);
        write(out, text, glyph);
        text += glyph.length;
        left -= glyph.length;
    }
}

static bool is_broken(tac_glyph glyph)
{
    return glyph.kind == TAC_GLYPH_BROKEN || glyph.kind == TAC_GLYPH_CUT;
}

/* The escapes that all these languages have. False when it is none of them. */
static bool common_escape(tac_str *out, tac_glyph glyph, const char *quotes)
{
    if (glyph.kind == TAC_GLYPH_PLAIN &&
        (glyph.code == '\\' || (glyph.code < 0x80 && strchr(quotes, (int)glyph.code))))
        tac_str_addf(out, "\\%c", (int)glyph.code);
    else if (glyph.kind == TAC_GLYPH_HIDDEN && glyph.code == '\n')
        tac_str_add(out, "\\n");
    else if (glyph.kind == TAC_GLYPH_HIDDEN && glyph.code == '\t')
        tac_str_add(out, "\\t");
    else if (glyph.kind == TAC_GLYPH_HIDDEN && glyph.code == '\r')
        tac_str_add(out, "\\r");
    else
        return false;
    return true;
}

/* '<' as well: a script may stand in a page, which "</script>" would end. */
static void js(tac_str *out, const char *text, tac_glyph glyph)
{
    if (common_escape(out, glyph, "\"'`"))
        return;
    if (is_broken(glyph))
        tac_str_add(out, "\\ufffd");
    else if (glyph.kind == TAC_GLYPH_HIDDEN || glyph.code == '<')
        tac_str_addf(out, "\\u%04x", glyph.code);
    else
        tac_str_add_bytes(out, text, glyph.length);
}

/* \u000a would end the line before the literal is seen; octal escapes are read inside it. */
static void java(tac_str *out, const char *text, tac_glyph glyph)
{
    if (common_escape(out, glyph, "\""))
        return;
    if (is_broken(glyph))
        tac_str_add(out, "\\ufffd");
    else if (glyph.kind == TAC_GLYPH_HIDDEN && glyph.code < 0x100)
        tac_str_addf(out, "\\%03o", glyph.code);
    else if (glyph.kind == TAC_GLYPH_HIDDEN)
        tac_str_addf(out, "\\u%04x", glyph.code);
    else
        tac_str_add_bytes(out, text, glyph.length);
}

/* Octal escapes have at most three digits, so that what follows is never taken for one. '?' for the
 * sake of trigraphs. */
static void c(tac_str *out, const char *text, tac_glyph glyph)
{
    if (common_escape(out, glyph, "\""))
        return;
    if (glyph.kind == TAC_GLYPH_PLAIN && glyph.code != '?')
        tac_str_add_bytes(out, text, glyph.length);
    else
        for (unsigned i = 0; i < glyph.length; i++)
            tac_str_addf(out, "\\%03o", (unsigned char)text[i]);
}

/* YAML's own set of characters is smaller: no byte order mark, no U+FFFE and U+FFFF. */
static void yaml(tac_str *out, const char *text, tac_glyph glyph)
{
    if (common_escape(out, glyph, "\""))
        return;
    if (is_broken(glyph))
        tac_str_add(out, "\\uFFFD");
    else if (glyph.kind == TAC_GLYPH_HIDDEN || glyph.code == 0xfeff ||
             (glyph.code & 0xfffe) == 0xfffe)
        tac_str_addf(out, glyph.code > 0xffff ? "\\U%08X" : "\\u%04X", glyph.code);
    else
        tac_str_add_bytes(out, text, glyph.length);
}

/* Labels of Graphviz are for people: a backslash of the text stays one. */
static void dot(tac_str *out, const char *text, tac_glyph glyph)
{
    if (glyph.kind == TAC_GLYPH_PLAIN && glyph.code != '"' && glyph.code != '\\')
        tac_str_add_bytes(out, text, glyph.length);
    else if (glyph.kind == TAC_GLYPH_PLAIN)
        tac_str_addf(out, "\\%c", (int)glyph.code);
    else if (glyph.kind == TAC_GLYPH_HIDDEN && glyph.code == '\n')
        tac_str_add(out, "\\n");
    else if (glyph.kind == TAC_GLYPH_HIDDEN)
        tac_str_addf(out, "\\\\u%04x", glyph.code);
    else
        tac_str_addf(out, "\\\\x%02x", (unsigned char)*text);
}

/* The escapes are those by which hidden characters are shown (base/data/visible.h). */
static void property(tac_str *out, const char *text, tac_glyph glyph)
{
    if (common_escape(out, glyph, "\""))
        return;
    if (glyph.kind == TAC_GLYPH_HIDDEN)
        tac_str_addf(out, "\\u%04x", glyph.code);
    else if (glyph.kind == TAC_GLYPH_PLAIN)
        tac_str_add_bytes(out, text, glyph.length);
    else
        for (unsigned i = 0; i < glyph.length; i++)
            tac_str_addf(out, "\\x%02x", (unsigned char)text[i]);
}

/* Control characters cannot stand in XML 1.0 in any form. */
static void html(tac_str *out, const char *text, tac_glyph glyph)
{
    static const struct {
        uint32_t code;
        const char *entity;
    } entities[] = {
        {'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}, {'\'', "&apos;"}};
    for (size_t i = 0; i < sizeof entities / sizeof *entities; i++)
        if (glyph.code == entities[i].code && glyph.kind == TAC_GLYPH_PLAIN) {
            tac_str_add(out, entities[i].entity);
            return;
        }
    bool space = glyph.code == '\n' || glyph.code == '\t' || glyph.code == '\r';
    if (is_broken(glyph) || (glyph.code < 0x20 && !space))
        tac_str_add(out, "\xef\xbf\xbd");
    else if (glyph.kind == TAC_GLYPH_HIDDEN)
        tac_str_addf(out, "&#%u;", glyph.code);
    else if (glyph.code == 0xfffe || glyph.code == 0xffff)
        tac_str_add(out, "\xef\xbf\xbd");
    else
        tac_str_add_bytes(out, text, glyph.length);
}

static void comment(tac_str *out, const char *text, tac_glyph glyph)
{
    if (is_broken(glyph))
        tac_str_addf(out, "<0x%02X>", (unsigned char)*text);
    else if (glyph.kind == TAC_GLYPH_HIDDEN || glyph.code == '\\')
        tac_str_addf(out, "<U+%04X>", glyph.code);
    else if (glyph.code == '/' && out->length &&
             (out->text[out->length - 1] == '*' || out->text[out->length - 1] == '?'))
        tac_str_add(out, " /");
    else if (glyph.code == '*' && out->length && out->text[out->length - 1] == '/')
        tac_str_add(out, " *");
    else
        tac_str_add_bytes(out, text, glyph.length);
}

void tac_quote_js(tac_str *out, const char *text)
{
    each(out, text, js);
}

void tac_quote_java(tac_str *out, const char *text)
{
    each(out, text, java);
}

void tac_quote_c(tac_str *out, const char *text)
{
    each(out, text, c);
}

void tac_quote_yaml(tac_str *out, const char *text)
{
    each(out, text, yaml);
}

void tac_quote_dot(tac_str *out, const char *text)
{
    each(out, text, dot);
}

void tac_quote_property(tac_str *out, const char *text)
{
    each(out, text, property);
}

void tac_quote_html(tac_str *out, const char *text)
{
    each(out, text, html);
}

void tac_quote_comment(tac_str *out, const char *text)
{
    each(out, text, comment);
}

void tac_quote_shell(tac_str *out, const char *text)
{
    bool plain = *text && !text[strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                             "0123456789_-+=./:,@%")];
    if (plain) {
        tac_str_add(out, text);
        return;
    }
    tac_str_add_char(out, '\'');
    for (; *text; text++)
        if (*text == '\'')
            tac_str_add(out, "'\\''");
        else
            tac_str_add_char(out, *text);
    tac_str_add_char(out, '\'');
}

void tac_quote_xpath(tac_str *out, const char *text)
{
    if (!strchr(text, '\'') || !strchr(text, '"')) {
        char quote = strchr(text, '\'') ? '"' : '\'';
        tac_str_addf(out, "%c%s%c", quote, text, quote);
        return;
    }
    tac_str_add(out, "concat(");
    for (bool first = true; *text; first = false) {
        char quote = *text == '\'' ? '"' : '\'';
        size_t length = quote == '"' ? strspn(text, "'") : strcspn(text, "'");
        tac_str_addf(out, "%s%c%.*s%c", first ? "" : ",", quote, (int)length, text, quote);
        text += length;
    }
    tac_str_add(out, ")");
}
