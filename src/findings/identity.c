/* Kind and place of a finding, and what is no part of them. See identity.h. */
#include "findings/identity.h"
#include "base/data/digest.h"
#include <ctype.h>
#include <string.h>

void finding_identity(const char *kind, const char *place, char id[FINDING_ID])
{
    char digest[TAC_DIGEST_TEXT];
    tac_str text = {0};
    tac_str_addf(&text, "%s\n%s", kind, place);
    tac_digest_bytes(text.text, text.length, digest);
    memcpy(id, digest, FINDING_ID - 1);
    id[FINDING_ID - 1] = '\0';
    tac_str_free(&text);
}

void finding_identity_of_text(const char *kind, const char *text, char id[FINDING_ID])
{
    tac_str steady = {0};
    for (const char *c = text; *c; c++)
        if (!isdigit((unsigned char)*c))
            tac_str_add_char(&steady, *c);
        else if (c == text || !isdigit((unsigned char)c[-1]))
            tac_str_add_char(&steady, '0');
    finding_identity(kind, tac_str_text(&steady), id);
    tac_str_free(&steady);
}

/* --- files --- */

static const char hex_digits[] = "0123456789abcdef", digits[] = "0123456789";

/* "BdkFxaQc" rather than "BoardView": capitals side by side, or at the end. */
static bool is_scrambled(const char *at, size_t length)
{
    size_t upper = 0;
    bool odd = islower((unsigned char)at[0]);
    for (size_t i = 0; i < length; i++) {
        if (!isalnum((unsigned char)at[i]))
            return false;
        bool capital = isupper((unsigned char)at[i]);
        upper += capital;
        odd |= capital && (i + 1 == length || isupper((unsigned char)at[i + 1]));
    }
    return upper && upper < length && odd;
}

/* What bundlers put into the names of files: hexadecimal digits, or letters and digits mixed. */
static bool is_build_hash(const char *at, size_t length)
{
    char text[65] = "";
    if (length < 6 || length >= sizeof text)
        return false;
    memcpy(text, at, length);
    bool has_digit = strpbrk(text, digits) != NULL;
    if (strspn(text, hex_digits) == length)
        return has_digit;
    bool upper = false;
    for (size_t i = 0; i < length; i++) {
        if (!isalnum((unsigned char)text[i]))
            return false;
        upper |= isupper((unsigned char)text[i]);
    }
    return length >= 8 && ((has_digit && upper) || (length == 8 && is_scrambled(text, length)));
}

void finding_file(tac_str *out, const char *place)
{
    size_t end = strlen(place), colons = 0;
    for (size_t stop = end; colons < 2 && stop > 0; colons++) { /* ":6:21" */
        while (stop > 0 && isdigit((unsigned char)place[stop - 1]))
            stop--;
        if (stop == end || stop == 0 || place[stop - 1] != ':')
            break;
        end = --stop;
    }
    size_t query = strcspn(place, "?#"), base = 0;
    end = query < end ? query : end;
    for (size_t i = 0; i < end; i++)
        if (place[i] == '/' || place[i] == '\\')
            base = i + 1;
    for (size_t i = base; i < end;) {
        bool between = i > base && strchr("-._", place[i]) != NULL;
        size_t from = i + between, size = 0;
        while (from + size < end && !strchr("-._", place[from + size]))
            size++;
        if (!between || !is_build_hash(place + from, size))
            tac_str_add_bytes(out, place + i, from - i + size);
        i = from + size;
    }
}

/* --- functions --- */

void finding_function(tac_str *out, const char *name)
{
    static const char *const words[] = {"async ", "async*", "new ", "get ", "set ", "Object."};
    const char *end = strstr(name, " [as "), *at = name;
    end = end ? end : name + strlen(name);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strncmp(at, words[i], strlen(words[i])) == 0)
            at += strlen(words[i]);
    if (end > at && (end[-1] == '<' || end[-1] == '>')) /* "loops/<", "<anonymous>" */
        return;
    for (const char *c = at; c < end; c++)
        if (*c == '.' || *c == '/')
            at = c + 1;
    tac_str_add_bytes(out, at, (size_t)(end - at));
}
