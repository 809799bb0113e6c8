/* Characters that act instead of showing, made visible. See visible.h. */
#include "base/data/visible.h"
#include "base/check.h"
#include "base/data/alloc.h"
#include <string.h>

/* Unicode's Cc, its bidirectional controls (Bidi_Control) and the two separators that end lines. */
static bool is_hidden(uint32_t code)
{
    return code < 0x20 || (code >= 0x7f && code <= 0x9f) || code == 0x061c || code == 0x200e ||
           code == 0x200f || (code >= 0x2028 && code <= 0x202e) ||
           (code >= 0x2066 && code <= 0x2069);
}

static tac_glyph broken(unsigned char byte)
{
    return (tac_glyph){TAC_GLYPH_BROKEN, 1, byte};
}

/* A lead byte with what follows it. The bounds of the second byte exclude overlong forms,
 * surrogates and what lies beyond U+10FFFF. */
static tac_glyph several_bytes(const unsigned char *at, size_t left)
{
    unsigned char lead = at[0];
    unsigned length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
    if (lead < 0xc2 || lead > 0xf4)
        return broken(lead);
    uint32_t code = lead & (0x7fu >> length);
    for (unsigned i = 1; i < length; i++) {
        if (i == left)
            return (tac_glyph){TAC_GLYPH_CUT, i, code};
        unsigned char least = 0x80, most = 0xbf;
        if (i == 1) {
            least = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
            most = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
        }
        if (at[i] < least || at[i] > most)
            return broken(lead);
        code = code << 6 | (at[i] & 0x3fu);
    }
    return (tac_glyph){is_hidden(code) ? TAC_GLYPH_HIDDEN : TAC_GLYPH_PLAIN, length, code};
}

tac_glyph tac_glyph_at(const char *text, size_t left)
{
    assert(left > 0);
    const unsigned char *at = (const unsigned char *)text;
    tac_glyph glyph =
        at[0] < 0x80 ? (tac_glyph){is_hidden(at[0]) ? TAC_GLYPH_HIDDEN : TAC_GLYPH_PLAIN, 1, at[0]}
                     : several_bytes(at, left);
    assert(glyph.length >= 1 && glyph.length <= left);
    return glyph;
}

size_t tac_visible_run(const char *text, size_t length)
{
    size_t i = 0;
    while (i < length) {
        unsigned char c = (unsigned char)text[i];
        if (c >= 0x7f || (c < 0x20 && c != '\n' && c != '\t'))
            break;
        i++;
    }
    return i;
}

bool tac_text_is_plain(const char *text, size_t length)
{
    while (length) {
        tac_glyph glyph = tac_glyph_at(text, length);
        if (glyph.kind != TAC_GLYPH_PLAIN)
            return false;
        text += glyph.length;
        length -= glyph.length;
    }
    return true;
}

static void add_glyph(tac_str *out, const char *at, tac_glyph glyph)
{
    if (glyph.kind == TAC_GLYPH_PLAIN)
        tac_str_add_bytes(out, at, glyph.length);
    else if (glyph.kind == TAC_GLYPH_HIDDEN)
        tac_str_addf(out, "\\u%04x", glyph.code);
    else
        for (unsigned i = 0; i < glyph.length; i++)
            tac_str_addf(out, "\\x%02x", (unsigned char)at[i]);
}

void tac_visible_add(tac_str *out, const char *text)
{
    size_t left = strlen(text);
    while (left) {
        tac_glyph glyph = tac_glyph_at(text, left);
        if (glyph.code == '\n' && glyph.kind == TAC_GLYPH_HIDDEN)
            tac_str_add(out, "\\n");
        else if (glyph.code == '\t' && glyph.kind == TAC_GLYPH_HIDDEN)
            tac_str_add(out, "\\t");
        else
            add_glyph(out, text, glyph);
        text += glyph.length;
        left -= glyph.length;
    }
}

char *tac_visible(const char *text)
{
    tac_str out = {0};
    tac_visible_add(&out, text);
    return tac_str_take(&out);
}

/* --- names --- */

static const char *kind_of(uint32_t code)
{
    if (code == '\n' || code == '\r' || code == 0x85 || code == 0x2028 || code == 0x2029)
        return "line separator";
    return code < 0xa0 ? "control character" : "bidirectional control";
}

const char *tac_name_flaw(const char *name, char *buffer)
{
    for (size_t left = strlen(name); left;) {
        tac_glyph glyph = tac_glyph_at(name, left);
        if (glyph.kind == TAC_GLYPH_HIDDEN) {
            snprintf(buffer, TAC_NAME_FLAW, "holds the %s U+%04X", kind_of(glyph.code), glyph.code);
            return buffer;
        }
        if (glyph.kind != TAC_GLYPH_PLAIN) {
            snprintf(buffer, TAC_NAME_FLAW, "holds the byte 0x%02x, which is not UTF-8",
                     (unsigned char)*name);
            return buffer;
        }
        name += glyph.length;
        left -= glyph.length;
    }
    return NULL;
}

/* --- a stream --- */

struct border {
    FILE *to;
    bool owns, guards;
    bool fresh;  /* nothing but blanks since the line began */
    char cut[4]; /* a character whose rest comes with the next write */
    unsigned cut_length;
};

/* Whether the text begins like a command that a build server obeys when a line begins with it:
 * "::error", "##[group]", "##vso[", "##teamcity[". -1: what follows decides. */
static int begins_command(const char *text, size_t length)
{
    if (*text != ':' && *text != '#')
        return 0;
    if (length > 1 && text[1] != *text)
        return 0;
    if (length < 3)
        return -1;
    return (text[2] >= 'a' && text[2] <= 'z') || (*text == '#' && text[2] == '[');
}

/* Blanks at the beginning of a line, and what would be a command there. Returns how much of the
 * text it has dealt with; *wait: the rest has to wait for what follows. */
static size_t pass_beginning(struct border *border, const char *text, size_t length, bool last,
                             bool *wait)
{
    size_t blanks = 0;
    while (blanks < length && (text[blanks] == ' ' || text[blanks] == '\t'))
        blanks++;
    fwrite(text, 1, blanks, border->to);
    if (blanks == length)
        return blanks;
    int command = begins_command(text + blanks, length - blanks);
    *wait = command < 0 && !last;
    border->fresh = *wait;
    if (command > 0)
        fprintf(border->to, "\\u%04x", (unsigned)text[blanks++]);
    return blanks;
}

/* Writes text to the stream behind; `last`: nothing follows that could complete a character. */
static void pass(struct border *border, const char *text, size_t length, bool last)
{
    tac_str out = {0};
    bool wait = false;
    while (length) {
        if (border->guards && border->fresh && *text != '\n') {
            size_t dealt = pass_beginning(border, text, length, last, &wait);
            text += dealt;
            length -= dealt;
            if (wait || !length)
                break;
        }
        size_t run = tac_visible_run(text, length);
        const char *newline = border->guards ? memchr(text, '\n', run) : NULL;
        if (newline) {
            run = (size_t)(newline - text) + 1;
            border->fresh = true;
        }
        if (run) {
            fwrite(text, 1, run, border->to);
            text += run;
            length -= run;
            continue;
        }
        tac_glyph glyph = tac_glyph_at(text, length);
        if (glyph.kind == TAC_GLYPH_CUT && !last) {
            wait = true;
            break;
        }
        tac_str_clear(&out);
        add_glyph(&out, text, glyph);
        fwrite(tac_str_text(&out), 1, out.length, border->to);
        text += glyph.length;
        length -= glyph.length;
    }
    if (wait) {
        assert(length < sizeof border->cut);
        memcpy(border->cut, text, length);
        border->cut_length = (unsigned)length;
    }
    tac_str_free(&out);
}

static ssize_t border_write(void *cookie, const char *data, size_t size)
{
    struct border *border = cookie;
    if (border->cut_length) {
        tac_str joined = {0};
        tac_str_add_bytes(&joined, border->cut, border->cut_length);
        tac_str_add_bytes(&joined, data, size);
        border->cut_length = 0;
        pass(border, tac_str_text(&joined), joined.length, false);
        tac_str_free(&joined);
    } else {
        pass(border, data, size, false);
    }
    return fflush(border->to) || ferror(border->to) ? 0 : (ssize_t)size;
}

static int border_close(void *cookie)
{
    struct border *border = cookie;
    char cut[4];
    memcpy(cut, border->cut, sizeof cut);
    pass(border, cut, border->cut_length, true);
    int result = fflush(border->to) || ferror(border->to) ? EOF : 0;
    if (border->owns && fclose(border->to))
        result = EOF;
    free(border);
    return result;
}

FILE *tac_visible_stream(FILE *to, bool owns, bool guards)
{
    enum { BUFFER = 1 << 16 };
    struct border *border = tac_calloc(1, sizeof *border);
    *border = (struct border){.to = to, .owns = owns, .guards = guards, .fresh = true};
    FILE *stream = fopencookie(
        border, "w", (cookie_io_functions_t){.write = border_write, .close = border_close});
    if (!stream)
        tac_out_of_memory(sizeof *border);
    setvbuf(stream, NULL, _IOFBF, BUFFER);
    return stream;
}
