/* Stacks for the page. See stack.h. Frames are read and told from libraries' as mining does it. */
#include "report/cause/stack.h"
#include "base/data/alloc.h"
#include "base/data/str.h"
#include "base/io/json.h"
#include "mining/crash/crash.h"
#include <ctype.h>
#include <string.h>

enum { MOST_LINES = 200 };

static bool is_header(const char *line, size_t length)
{
    static const char more[] = "... ";
    return length && strncmp(line, more, sizeof more - 1) != 0 && memchr(line, '.', length);
}

/* "com.example.Session.token" and "Session.java:19" give com/example/Session.java and 19. */
static void find_file(const char *name, const char *text, size_t length, struct shown_stack *out)
{
    const char *open = memrchr(text, '(', length);
    const char *close = open ? memchr(open, ')', length - (size_t)(open - text)) : NULL;
    const char *colon = close ? memrchr(open, ':', (size_t)(close - open)) : NULL;
    const char *class_end = strrchr(name, '.');
    if (!colon || !class_end)
        return;
    const char *class = class_end;
    while (class > name && class[-1] != '.')
        class --;
    tac_str path = {0};
    for (const char *c = name; c < class; c++)
        tac_str_add_char(&path, *c == '.' ? '/' : *c);
    tac_str_add_bytes(&path, open + 1, (size_t)(colon - open - 1));
    free(out->file);
    out->file = tac_str_take(&path);
    out->line = strtoul(colon + 1, NULL, 10);
}

static void show_line(const char *text, size_t length, const char *cluster, tac_arena *arena,
                      struct shown_stack *out)
{
    struct stack_frame frame;
    bool is_frame = stack_frame_read(text, length, arena, &frame);
    bool app = is_frame && !frame.library && !is_library_name(frame.name);
    bool decides = false;
    if (app && !*out->frame) {
        size_t all = strlen(cluster), own = strlen(frame.name);
        decides = own && own <= all && !strcmp(cluster + all - own, frame.name);
    }
    if (decides) {
        free(out->frame);
        out->frame = tac_strdup(frame.name);
        find_file(frame.name, text, length, out);
    }
    if (!is_frame && is_header(text, length))
        json_array_append_new(out->chain, tac_json_string_n(text, length));
    json_array_append_new(out->lines,
                          json_pack("{s:o,s:b,s:b}", "text", tac_json_string_n(text, length), "app",
                                    app, "decides", decides));
}

void stack_show(const char *stack, const char *first, const char *cluster, struct shown_stack *out)
{
    *out = (struct shown_stack){.lines = json_array(),
                                .chain = json_array(),
                                .file = tac_strdup(""),
                                .frame = tac_strdup("")};
    tac_arena arena = {0};
    while (*stack && json_array_size(out->lines) < MOST_LINES) {
        size_t length = strcspn(stack, "\n");
        const char *text = stack, *end = stack + length;
        while (text < end && isspace((unsigned char)*text))
            text++;
        if (text < end)
            show_line(text, (size_t)(end - text), cluster, &arena, out);
        stack = end + (*end == '\n');
    }
    if (*first && (!json_array_size(out->lines) || !json_array_size(out->chain)))
        json_array_insert_new(out->chain, 0, tac_json_string(first));
    tac_arena_free(&arena);
}

void stack_free(struct shown_stack *shown)
{
    json_decref(shown->lines);
    json_decref(shown->chain);
    free(shown->file);
    free(shown->frame);
}
