/* The name of an entity as Home Assistant makes it from what people call it: small letters, digits
 * and underlines, letters with marks without them ("Küche hell" is kuche_hell). Letters of other
 * scripts are left out, so that such an entity is not found by its name. */
#include "automation/home/home.h"
#include <ctype.h>
#include <string.h>

/* U+00C0 to U+017F; an empty text: no letter. */
static const char *const plain[] = {
    "a", "a", "a",  "a",  "a", "a", "ae", "c",  "e",  "e", "e", "e", "i",  "i",  "i", "i", "d", "n",
    "o", "o", "o",  "o",  "o", "",  "o",  "u",  "u",  "u", "u", "y", "th", "ss", "a", "a", "a", "a",
    "a", "a", "ae", "c",  "e", "e", "e",  "e",  "i",  "i", "i", "i", "d",  "n",  "o", "o", "o", "o",
    "o", "",  "o",  "u",  "u", "u", "u",  "y",  "th", "y", "a", "a", "a",  "a",  "a", "a", "c", "c",
    "c", "c", "c",  "c",  "c", "c", "d",  "d",  "d",  "d", "e", "e", "e",  "e",  "e", "e", "e", "e",
    "e", "e", "g",  "g",  "g", "g", "g",  "g",  "g",  "g", "h", "h", "h",  "h",  "i", "i", "i", "i",
    "i", "i", "i",  "i",  "i", "i", "ij", "ij", "j",  "j", "k", "k", "k",  "l",  "l", "l", "l", "l",
    "l", "l", "l",  "l",  "l", "n", "n",  "n",  "n",  "n", "n", "n", "ng", "ng", "o", "o", "o", "o",
    "o", "o", "oe", "oe", "r", "r", "r",  "r",  "r",  "r", "s", "s", "s",  "s",  "s", "s", "s", "s",
    "t", "t", "t",  "t",  "t", "t", "u",  "u",  "u",  "u", "u", "u", "u",  "u",  "u", "u", "u", "u",
    "w", "w", "y",  "y",  "y", "z", "z",  "z",  "z",  "z", "z", "s"};

/* The letters that stand for a marked one, and how many bytes it has; NULL: it is not one. */
static const char *unmarked(const char *at, size_t *bytes)
{
    const unsigned char *c = (const unsigned char *)at;
    unsigned code = (c[0] & 0x1fu) << 6 | (c[1] & 0x3fu);
    *bytes = 2;
    return c[0] >= 0xc3 && c[0] <= 0xc5 && (c[1] & 0xc0) == 0x80 ? plain[code - 0xc0] : NULL;
}

const char *home_slug(struct home *home, const char *name)
{
    char *out = tac_arena_calloc(&home->model->arena, strlen(name) + 1, 1);
    size_t n = 0, bytes;
    for (const char *c = name; *c; c += bytes) {
        const char *letters = unmarked(c, &bytes);
        bytes = letters ? bytes : 1;
        if (letters && *letters) {
            memcpy(out + n, letters, strlen(letters));
            n += strlen(letters);
        } else if (isalnum((unsigned char)*c) && !letters) {
            out[n++] = (char)tolower((unsigned char)*c);
        } else if (n && out[n - 1] != '_') {
            out[n++] = '_';
        }
    }
    while (n && out[n - 1] == '_')
        n--;
    out[n] = '\0';
    return out;
}
