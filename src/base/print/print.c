/* Printing with the texts of others visible. See print.h.
 *
 * The format is taken apart and each conversion is printed by itself, so that widths, precisions
 * and sizes mean what they mean to fprintf. O(length of the result). */
#include "base/print/print.h"
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/visible.h"
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <string.h>

enum { MOST_SPECIFICATION = 32 };

/* "%-*.3lld": from the '%' to its letter. */
struct specification {
    char text[MOST_SPECIFICATION];
    int stars;     /* numbers among the arguments that come first */
    unsigned size; /* how many of l, or 3 for z, j and t */
    bool precise;
    char letter;
};

static const char *read_specification(const char *at, struct specification *out)
{
    const char *start = at++;
    *out = (struct specification){0};
    at += strspn(at, "-+ #0123456789*.");
    for (const char *c = start; c < at; c++) {
        out->stars += *c == '*';
        out->precise |= *c == '.';
    }
    for (; *at && strchr("hlzjt", *at); at++)
        out->size = *at == 'l' ? out->size + 1 : *at == 'h' ? 0 : 3;
    out->letter = *at ? *at++ : '\0';
    assert(out->letter && (size_t)(at - start) < sizeof out->text && out->stars <= 2);
    memcpy(out->text, start, (size_t)(at - start));
    return at;
}

/* Prints a value by its specification; width and precision stand before it. */
#define PRINT(value)                                                                               \
    (spec->stars == 0   ? fprintf(out, spec->text, (value))                                        \
     : spec->stars == 1 ? fprintf(out, spec->text, stars[0], (value))                              \
                        : fprintf(out, spec->text, stars[0], stars[1], (value)))

/* With a precision no more than so many bytes are read. */
static void print_text(FILE *out, struct specification *spec, const int stars[2], const char *text)
{
    char *own = NULL;
    if (!text)
        text = "(null)"; /* as fprintf shows it */
    if (spec->precise) {
        const char *dot = strchr(spec->text, '.');
        int most = dot[1] == '*' ? stars[spec->stars - 1] : (int)strtol(dot + 1, NULL, 10);
        own = most >= 0 ? strndup(text, (size_t)most) : strdup(text);
        if (!own)
            tac_out_of_memory(strlen(text));
        spec->stars -= dot[1] == '*';
        snprintf(spec->text + (dot - spec->text), 2, "s");
    }
    char *shown = tac_visible(own ? own : text);
    PRINT(shown);
    free(shown);
    free(own);
}

#pragma GCC diagnostic ignored "-Wformat-nonliteral"
static void print_value(FILE *out, struct specification *spec, const int stars[2], va_list *args)
{
    switch (spec->letter) {
    case 's':
        print_text(out, spec, stars, va_arg(*args, const char *));
        break;
    case 'd':
    case 'i':
    case 'u':
    case 'x':
    case 'X':
    case 'o':
        if (spec->size)
            PRINT(va_arg(*args, long long));
        else
            PRINT(va_arg(*args, int));
        break;
    case 'c':
        PRINT(va_arg(*args, int));
        break;
    case 'p':
        PRINT(va_arg(*args, void *));
        break;
    default:
        assert(strchr("aefgAEFG", spec->letter));
        PRINT(va_arg(*args, double));
    }
}

void tac_print(FILE *out, const char *format, ...)
{
    static_assert(sizeof(long) == sizeof(long long) && sizeof(size_t) == sizeof(long long),
                  "long numbers are passed alike");
    va_list args;
    va_start(args, format);
    while (*format) {
        size_t plain = strcspn(format, "%");
        fwrite(format, 1, plain, out);
        format += plain;
        if (format[0] == '%' && format[1] == '%') {
            fputc('%', out);
            format += 2;
        } else if (*format) {
            struct specification spec;
            int stars[2] = {0, 0};
            format = read_specification(format, &spec);
            for (int i = 0; i < spec.stars; i++)
                stars[i] = va_arg(args, int);
            print_value(out, &spec, stars, &args);
        }
    }
    va_end(args);
}
