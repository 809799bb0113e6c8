/* Looking up expectations in the text of their file; see expect_place.h. */
#include "model/text/expect_place.h"
#include "base/io/input.h"
#include <stdlib.h>
#include <string.h>

static const size_t largest_model = (size_t)1 << 30;

static void look(struct expect_places *places, const char *file)
{
    size_t size;
    tac_error ignored; /* what was read as a model may be another kind of file */
    places->looked = true;
    if (tac_input_slurp(file, largest_model, &places->text, &size, &ignored) != TAC_OK)
        return;
    places->found = outline_make(places->text, size, &places->outline, &ignored) == TAC_OK;
}

/* Whether both are the same but for the kind and number of blanks. */
static bool same_words(const char *a, const char *b)
{
    static const char blanks[] = " \t\r\n";
    for (;;) {
        a += strspn(a, blanks);
        b += strspn(b, blanks);
        size_t length = strcspn(a, blanks);
        if (length != strcspn(b, blanks) || memcmp(a, b, length) != 0)
            return false;
        if (!length)
            return true;
        a += length;
        b += length;
    }
}

/* The start tag's last line: readers of XML call either one its line. */
static size_t tag_end(const struct outline *outline, const struct text_element *element)
{
    size_t line = element->line;
    for (size_t at = element->begin; at < element->open_end; at++)
        line += outline->text[at] == '\n';
    return line;
}

bool expect_place_find(struct expect_places *places, const char *file, size_t around,
                       const char *condition, size_t *line, size_t *column)
{
    if (!places->looked)
        look(places, file);
    struct outline *outline = &places->outline;
    for (uint32_t i = 0; places->found && i < outline->elements.count; i++) {
        const struct text_element *element = &outline->elements.at[i];
        if (element->kind != ELEMENT_EXPECT || element->parent == TAC_NONE)
            continue;
        const struct text_element *parent = &outline->elements.at[element->parent];
        if (parent->line > around || tag_end(outline, parent) < around ||
            !same_words(outline_content(outline, i), condition))
            continue;
        const char *start = outline->text + element->begin;
        while (start > outline->text && start[-1] != '\n')
            start--;
        *line = element->line;
        *column = (size_t)(outline->text + element->begin - start) + 1;
        return true;
    }
    return false;
}

void expect_places_free(struct expect_places *places)
{
    if (places->found)
        outline_free(&places->outline);
    free(places->text);
    *places = (struct expect_places){0};
}
