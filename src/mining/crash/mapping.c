/* Mapping files of ProGuard and R8: obfuscated names back to those of the source.
 *
 *   org.example.Player -> a.b.c:
 *       1:5:void onNext(int):88:92 -> a
 *       java.lang.String title -> b
 *
 * A method is found by its obfuscated name and the line; of several that cover one line (inlined
 * code) the first is the innermost. Without lines a name with one origin is taken, one with several
 * stays as it is: it is not guessed. Comment lines start with '#'. Cost: one hash lookup and the
 * class's methods per frame. */
#include "base/check.h"
#include "base/io/input.h"
#include "mining/crash/crash.h"
#include <ctype.h>
#include <stdio.h>

enum { MAX_MAPPING_LINE = 1 << 16 };

struct mapped_method {
    const char *obfuscated, *original; /* original: method, or other.Class.method when inlined */
    uint32_t from, to;                 /* lines; 0 .. 0 = any */
};

struct mapped_class {
    const char *original;
    TAC_VEC(struct mapped_method) methods;
};

struct name_mapping {
    tac_arena arena;
    tac_names classes; /* obfuscated */
    TAC_VEC(struct mapped_class) at;
};

static char *arrow_of(char *line)
{
    return strstr(line, " -> ");
}

static void trim_end(char *text)
{
    size_t length = strlen(text);
    while (length && isspace((unsigned char)text[length - 1]))
        text[--length] = '\0';
}

/* The class of the line, or TAC_NONE when it is not one. */
static uint32_t add_class(struct name_mapping *mapping, char *line)
{
    char *arrow = arrow_of(line);
    size_t length = strlen(line);
    if (!arrow || line[length - 1] != ':')
        return TAC_NONE;
    line[length - 1] = '\0';
    *arrow = '\0';
    size_t before = mapping->classes.count;
    uint32_t id = tac_names_intern(&mapping->classes, arrow + 4);
    if (id >= before)
        tac_vec_push(&mapping->at, (struct mapped_class){0});
    mapping->at.at[id].original = tac_arena_strdup(&mapping->arena, line);
    assert(mapping->at.count == mapping->classes.count && id < mapping->at.count);
    return id;
}

/* "1:5:void onNext(int):88:92": the lines in front, and the name before the bracket. */
static void add_member(struct name_mapping *mapping, uint32_t class, char *line)
{
    assert(class < mapping->at.count);
    char *arrow = arrow_of(line), *open = strchr(line, '(');
    if (!arrow || !open || open > arrow) /* a field */
        return;
    struct mapped_method method = {0};
    char *at = line;
    while (isspace((unsigned char)*at))
        at++;
    unsigned from, to;
    int used = 0;
    if (sscanf(at, "%9u:%9u:%n", &from, &to, &used) == 2 && used) {
        method.from = from;
        method.to = to;
        at += used;
    }
    char *name = open;
    while (name > at && !isspace((unsigned char)name[-1]))
        name--;
    *open = '\0';
    method.original = tac_arena_strdup(&mapping->arena, name);
    method.obfuscated = tac_arena_strdup(&mapping->arena, arrow + 4);
    tac_vec_push(&mapping->at.at[class].methods, method);
}

static tac_status read_mapping(struct name_mapping *mapping, tac_input *input, const char *path,
                               tac_error *err)
{
    char *line;
    size_t length;
    tac_status status;
    uint32_t class = TAC_NONE;
    while (!(status = tac_input_line(input, MAX_MAPPING_LINE, &line, &length, err)) && line) {
        size_t number = tac_input_line_number(input);
        trim_end(line);
        size_t blank = strspn(line, " \t");
        if (!line[blank] || line[blank] == '#')
            continue;
        if (blank == 0) {
            class = add_class(mapping, line);
            if (class == TAC_NONE)
                return tac_fail_at(err, TAC_E_INPUT, path, number, 1,
                                   "expected 'original.Class -> a.b:', as ProGuard and R8 write "
                                   "their mapping files");
        } else if (class == TAC_NONE)
            return tac_fail_at(err, TAC_E_INPUT, path, number, 1,
                               "a member before the first class");
        else
            add_member(mapping, class, line);
    }
    if (!status && mapping->at.count == 0)
        status = tac_fail_at(err, TAC_E_INPUT, path, 0, 0, "the mapping file names no class");
    return status;
}

tac_status name_mapping_load(const char *path, struct name_mapping **out, tac_error *err)
{
    tac_input *input;
    tac_status status = tac_input_open(path, &input, err);
    if (status)
        return status;
    struct name_mapping *mapping = tac_calloc(1, sizeof *mapping);
    status = read_mapping(mapping, input, path, err);
    tac_input_close(input);
    if (status) {
        name_mapping_free(mapping);
        return status;
    }
    *out = mapping;
    return TAC_OK;
}

void name_mapping_free(struct name_mapping *mapping)
{
    if (!mapping)
        return;
    for (size_t i = 0; i < mapping->at.count; i++)
        tac_vec_free(&mapping->at.at[i].methods);
    tac_vec_free(&mapping->at);
    tac_names_free(&mapping->classes);
    tac_arena_free(&mapping->arena);
    free(mapping);
}

bool name_mapping_class(const struct name_mapping *mapping, const char *name, tac_str *out)
{
    uint32_t id = tac_names_find(&mapping->classes, name);
    if (id == TAC_NONE)
        return false;
    tac_str_clear(out);
    tac_str_add(out, mapping->at.at[id].original);
    return true;
}

/* The method of the line; without a line the only original of the name. NULL: not to be told. */
static const char *method_of(const struct mapped_class *class, const char *name, uint32_t line)
{
    const char *only = NULL;
    bool several = false;
    for (size_t i = 0; i < class->methods.count; i++) {
        const struct mapped_method *method = &class->methods.at[i];
        if (strcmp(method->obfuscated, name) != 0)
            continue;
        if (line && method->to && line >= method->from && line <= method->to)
            return method->original;
        several = several || (only && strcmp(only, method->original) != 0);
        only = method->original;
    }
    return several ? NULL : only;
}

bool name_mapping_frame(const struct name_mapping *mapping, const char *name, uint32_t line,
                        tac_str *out)
{
    const char *dot = strrchr(name, '.');
    if (!dot)
        return false;
    uint32_t id = tac_names_find_bytes(&mapping->classes, name, (size_t)(dot - name));
    if (id == TAC_NONE)
        return false;
    assert(id < mapping->at.count);
    const struct mapped_class *class = &mapping->at.at[id];
    const char *method = method_of(class, dot + 1, line);
    tac_str_clear(out);
    if (method && strchr(method, '.')) /* inlined from another class */
        tac_str_add(out, method);
    else
        tac_str_addf(out, "%s.%s", class->original, method ? method : dot + 1);
    return true;
}
