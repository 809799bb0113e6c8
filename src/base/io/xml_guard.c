/* A tokenizer that only finds the limits of tokens. See xml_guard.h. */
#include "base/io/xml_guard.h"
#include "base/check.h"
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum state {
    TEXT,        /* between tags; before the root only white space belongs here */
    OPEN,        /* after '<' */
    BANG,        /* after "<!", matching "--" or "[CDATA[" */
    COMMENT,     /* until "-->" */
    INSTRUCTION, /* until "?>" */
    CDATA,       /* until "]]>" */
    TAG,         /* of an element, outside quotation marks */
    END_TAG,     /* after "</" */
    QUOTED       /* inside a value; `after` is the quotation mark */
};

/* what: "a text has", "bytes"; or "elements are nested", "levels deep". */
static tac_status too_much(const tac_xml_guard *guard, const char *what, long long limit,
                           const char *unit, tac_error *err)
{
    return tac_fail_at(err, TAC_E_LIMIT, guard->name, guard->line + 1, 0,
                       "%s more than %lld %s, the limit", what, limit, unit);
}

/* --- encodings --- */

/* Only such in which '<' is one unit of value 0x3c and nothing else is: there no markup can hide.
 */
static bool is_known_encoding(const char *name, unsigned width)
{
    if (width == 2)
        return !strncasecmp(name, "UTF-16", 6);
    return !strcasecmp(name, "UTF-8") || !strcasecmp(name, "US-ASCII") ||
           !strcasecmp(name, "ASCII") || !strncasecmp(name, "ISO-8859-", 9) ||
           !strncasecmp(name, "windows-125", 11);
}

/* The declaration is what stands between "<?" and "?>" at the very beginning. */
static tac_status check_declaration(const tac_xml_guard *guard, tac_error *err)
{
    const char *at = guard->declaration;
    if (strncmp(at, "xml", 3) || !isspace((unsigned char)at[3]))
        return TAC_OK;
    at = strstr(at, "encoding");
    if (!at)
        return TAC_OK;
    char name[40];
    at += 8 + strspn(at + 8, " \t\r\n=\"'");
    snprintf(name, sizeof name, "%.*s", (int)strcspn(at, " \t\r\n\"'?"), at);
    if (is_known_encoding(name, guard->width))
        return TAC_OK;
    return tac_fail_at(err, TAC_E_INPUT, guard->name, guard->line + 1, 0,
                       "the encoding '%.30s' is not read; save the file as UTF-8", name);
}

/* --- tokens --- */

/* Keeps the last characters of a token; at most 7. */
static void remember(tac_xml_guard *guard, uint32_t c)
{
    memmove(guard->match, guard->match + 1, sizeof guard->match - 2);
    guard->match[sizeof guard->match - 2] = c < 0x80 && c ? (char)c : '\x01';
}

static bool ends_in(const tac_xml_guard *guard, const char *text)
{
    size_t length = strlen(text);
    return !strncmp(guard->match + sizeof guard->match - 1 - length, text, length);
}

static void enter(tac_xml_guard *guard, enum state state)
{
    enum { LEAST_REMARK = 64 }; /* what the parser keeps of an empty one */
    if (state == COMMENT || state == INSTRUCTION)
        guard->remarks += LEAST_REMARK;
    guard->state = state;
    guard->length = 0;
    memset(guard->match, 1, sizeof guard->match - 1);
}

static tac_status after_bang(tac_xml_guard *guard, tac_error *err)
{
    static const char cdata[] = "[CDATA[";
    if (guard->length == 1 && ends_in(guard, "-"))
        return TAC_OK;
    if (guard->length == 2 && ends_in(guard, "--"))
        enter(guard, COMMENT);
    else if (guard->root && guard->length <= 7 &&
             !strncmp(guard->match + 7 - guard->length, cdata, guard->length)) {
        if (guard->length == 7)
            enter(guard, CDATA);
    } else {
        return tac_fail_at(err, TAC_E_INPUT, guard->name, guard->line + 1, 0,
                           "a document type declaration is not allowed here; remove the "
                           "<!DOCTYPE ...>");
    }
    return TAC_OK;
}

/* Keeps what the XML declaration says; one that is longer is not one. */
static tac_status declare(tac_xml_guard *guard, uint32_t c, tac_error *err)
{
    if (guard->declared + 1 < sizeof guard->declaration) {
        guard->declaration[guard->declared++] = c < 0x80 && c ? (char)c : '?';
        return TAC_OK;
    }
    if (strncmp(guard->declaration, "xml", 3))
        return TAC_OK; /* another processing instruction */
    return too_much(guard, "the XML declaration has", sizeof guard->declaration, "bytes", err);
}

static tac_status in_remark(tac_xml_guard *guard, uint32_t c, tac_error *err)
{
    bool comment = guard->state == COMMENT;
    tac_status status = TAC_OK;
    if (++guard->remarks > TAC_XML_REMARKS)
        return too_much(guard, "comments and processing instructions have", TAC_XML_REMARKS,
                        "bytes", err);
    if (guard->declaring)
        status = declare(guard, c, err);
    if (status != TAC_OK || !ends_in(guard, comment ? "-->" : "?>") ||
        (comment && guard->length < 3))
        return status;
    enter(guard, TEXT);
    bool declared = guard->declaring;
    guard->declaring = false;
    return declared ? check_declaration(guard, err) : TAC_OK;
}

static void tell_tag(const tac_xml_guard *guard)
{
    if (guard->on_tag)
        guard->on_tag(guard->context, &(tac_xml_tag){.end = guard->state == END_TAG,
                                                     .from = guard->tag_from,
                                                     .to = guard->at,
                                                     .line = guard->tag_line,
                                                     .last_line = guard->line + 1});
}

static tac_status end_of_start_tag(tac_xml_guard *guard, tac_error *err)
{
    guard->root = true;
    if (guard->max_elements && ++guard->elements > guard->max_elements)
        return too_much(guard, "the document has", (long long)guard->max_elements, "elements", err);
    if (!guard->slash && ++guard->depth > guard->max_depth)
        return too_much(guard, "elements are nested", (long long)guard->max_depth, "levels deep",
                        err);
    enter(guard, TEXT);
    return TAC_OK;
}

static tac_status in_tag(tac_xml_guard *guard, uint32_t c, tac_error *err)
{
    if (guard->length > TAC_XML_TAG)
        return too_much(guard, "a tag with its attributes has", TAC_XML_TAG, "bytes", err);
    if (guard->state == QUOTED) {
        if ((int)c == guard->after)
            guard->state = TAG;
        return TAC_OK;
    }
    if (c == '>') {
        tell_tag(guard);
        if (guard->state == TAG)
            return end_of_start_tag(guard, err);
        guard->depth -= guard->depth > 0;
        enter(guard, TEXT);
        return TAC_OK;
    }
    if (guard->state == TAG && (c == '"' || c == '\'')) {
        guard->after = (int)c;
        guard->state = QUOTED;
        if (++guard->attributes > TAC_XML_ATTRIBUTES)
            return too_much(guard, "an element has", TAC_XML_ATTRIBUTES, "attributes", err);
    }
    guard->slash = c == '/';
    return TAC_OK;
}

static void after_open(tac_xml_guard *guard, uint32_t c)
{
    guard->attributes = 0;
    guard->slash = false;
    guard->declaring = c == '?' && !guard->begun;
    guard->begun = true;
    enter(guard, c == '!' ? BANG : c == '?' ? INSTRUCTION : c == '/' ? END_TAG : TAG);
}

/* One character, or one unit of UTF-16. */
static tac_status step(tac_xml_guard *guard, uint32_t c, tac_error *err)
{
    guard->line += c == '\n';
    guard->length++;
    switch ((enum state)guard->state) {
    case TEXT:
        if (c == '<') {
            guard->state = OPEN;
            guard->tag_from = guard->at - 1;
            guard->tag_line = guard->line + 1;
        }
        return guard->length > TAC_XML_TEXT
                   ? too_much(guard, "a text has", TAC_XML_TEXT, "bytes", err)
                   : TAC_OK;
    case OPEN:
        after_open(guard, c);
        return TAC_OK;
    case BANG:
        remember(guard, c);
        return after_bang(guard, err);
    case COMMENT:
    case INSTRUCTION:
        remember(guard, c);
        return in_remark(guard, c, err);
    case CDATA:
        remember(guard, c);
        if (ends_in(guard, "]]>"))
            enter(guard, TEXT);
        return guard->length > TAC_XML_TEXT
                   ? too_much(guard, "a text has", TAC_XML_TEXT, "bytes", err)
                   : TAC_OK;
    case TAG:
    case END_TAG:
    case QUOTED:
        return in_tag(guard, c, err);
    }
    return TAC_OK;
}

/* --- bytes --- */

/* The first four bytes tell the family of encodings, as in appendix F of the XML standard. */
static tac_status tell_width(tac_xml_guard *guard, tac_error *err)
{
    const unsigned char *b = guard->first;
    assert(guard->first_count == 4);
    bool little = b[0] == 0xff && b[1] == 0xfe, big = b[0] == 0xfe && b[1] == 0xff;
    bool wide =
        !b[0] && !b[1] ? true : (little && !b[2] && !b[3]) || (b[0] == '<' && !b[1] && !b[2]);
    if (wide || (b[0] == 0x4c && b[1] == 0x6f && b[2] == 0xa7))
        return tac_fail_at(err, TAC_E_INPUT, guard->name, 1, 0,
                           "this encoding is not read; save the file as UTF-8");
    little |= b[0] && !b[1];
    big |= !b[0] && b[1];
    guard->width = little || big ? 2 : 1;
    guard->big_endian = big;
    return TAC_OK;
}

static bool is_mark(const tac_xml_guard *guard, uint32_t c)
{
    return guard->width == 2 && c == 0xfeff;
}

static tac_status feed_byte(tac_xml_guard *guard, unsigned char byte, tac_error *err)
{
    guard->at++;
    if (guard->width == 1)
        return step(guard, byte, err);
    guard->half = !guard->half;
    if (guard->half) {
        guard->kept = byte;
        return TAC_OK;
    }
    uint32_t c =
        guard->big_endian ? (uint32_t)guard->kept << 8 | byte : (uint32_t)byte << 8 | guard->kept;
    return is_mark(guard, c) ? TAC_OK : step(guard, c, err);
}

/* Between tags and inside values most bytes mean nothing: jumps over those, but never over the
 * last, so that the limits are looked at in every piece. */
static size_t harmless(const tac_xml_guard *guard, const char *data, size_t size)
{
    if (guard->width != 1 || size < 16 || (guard->state != TEXT && guard->state != QUOTED))
        return 0;
    const char *end = memchr(data, guard->state == TEXT ? '<' : guard->after, size - 1);
    return end ? (size_t)(end - data) : size - 1;
}

tac_status tac_xml_guard_feed(tac_xml_guard *guard, const char *data, size_t size, tac_error *err)
{
    tac_status status = TAC_OK;
    size_t i = 0;
    while (status == TAC_OK && !guard->width && i < size) {
        guard->first[guard->first_count++] = (unsigned char)data[i++];
        if (guard->first_count < 4)
            continue;
        status = tell_width(guard, err);
        for (size_t k = 0; k < 4 && status == TAC_OK; k++)
            status = feed_byte(guard, guard->first[k], err);
    }
    while (status == TAC_OK && i < size) {
        size_t run = harmless(guard, data + i, size - i);
        for (size_t k = 0; k < run; k++)
            guard->line += data[i + k] == '\n';
        guard->length += run;
        guard->at += run;
        i += run;
        if (i < size)
            status = feed_byte(guard, (unsigned char)data[i++], err);
    }
    return status;
}
