/* Frames of languages with a form of their own: Dart, Python, C# as Unity prints it. */
#include "mining/crash/frame_forms.h"
#include <ctype.h>

static uint32_t decimal(const char *at, const char *end)
{
    uint32_t number = 0;
    for (; at < end && isdigit((unsigned char)*at); at++)
        number = number < 100000000 ? number * 10 + (uint32_t)(*at - '0') : number;
    return number;
}

uint32_t frame_line_number(const char *place, const char *end)
{
    /* "file:12", "file:12:5": the first number of the last group */
    const char *colon = NULL;
    for (const char *c = place; c < end; c++)
        if (*c == ':' && c + 1 < end && isdigit((unsigned char)c[1]))
            if (!colon || !isdigit((unsigned char)c[-1]) || c - colon > 10)
                colon = c;
    return decimal(colon ? colon + 1 : end, end);
}

static bool skip_number_back(const char *from, const char **end)
{
    const char *c = *end;
    while (c > from && isdigit((unsigned char)c[-1]))
        c--;
    if (c == *end || c == from || c[-1] != ':')
        return false;
    *end = c - 1;
    return true;
}

const char *script_place(const char *line, size_t length, tac_arena *arena)
{
    const char *end = line + length, *before, *place;
    const char *sign = memchr(line, '@', length); /* Firefox, WebKit */
    bool signed_place = sign && memmem(sign, (size_t)(end - sign), "://", 3);
    if (length < 4 || (strncmp(line, "at ", 3) != 0 && !signed_place))
        return NULL;
    end -= end[-1] == ')';
    before = end;
    if (!skip_number_back(line, &before) || !skip_number_back(line, &before))
        return NULL;
    for (place = before; place > line && place[-1] != '(' && place[-1] != ' ' && place - 1 != sign;)
        place--;
    const char *host = memmem(place, (size_t)(before - place), "://", 3);
    const char *path = host ? memchr(host + 3, '/', (size_t)(before - host - 3)) : NULL;
    place = path ? path : place;
    return tac_arena_strndup(arena, place, (size_t)(end - place));
}

bool dart_frame(const char *line, size_t length, struct stack_frame *frame, tac_str *hold)
{
    const char *end = line + length, *name = line + 1, *stop = NULL;
    if (length < 5 || *line != '#' || !isdigit((unsigned char)line[1]))
        return false;
    while (name < end && isdigit((unsigned char)*name))
        name++;
    if (name == end || (*name != ' ' && *name != '\t'))
        return false;
    while (name < end && (*name == ' ' || *name == '\t'))
        name++;
    for (const char *c = name; c + 2 < end; c++) /* a name may have blanks: <anonymous closure> */
        if (c[0] == ' ' && c[1] == '(' &&
            has_prefix(c + 2, (size_t)(end - c - 2),
                       "package:,dart:,file:,http:,https:,org-dartlang-"))
            stop = c;
    if (!stop || stop == name)
        return false;
    if (end - name > 4 && strncmp(name, "new ", 4) == 0)
        name += 4;
    tac_str_add_bytes(hold, name, (size_t)(stop - name));
    const char *place = stop + 2, *close = memchr(place, ')', (size_t)(end - place));
    char head[64] = {0};
    size_t size = (size_t)((close ? close : end) - place);
    memcpy(head, place, size < sizeof head - 1 ? size : sizeof head - 1);
    frame->library =
        strncmp(head, "package:", 8) == 0 ? is_library_name(head) : strncmp(head, "dart:", 5) == 0;
    frame->line = frame_line_number(place, close ? close : end);
    frame->complete = close != NULL;
    return true;
}

/* "package:app/file.dart 1:2  Class.method", as Dart's package stack_trace prints frames. */
bool terse_frame(const char *line, size_t length, struct stack_frame *frame, tac_str *hold)
{
    const char *end = line + length, *place = memchr(line, ' ', length);
    if (!has_prefix(line, length, "package:,dart:,file:///,org-dartlang-") || !place)
        return false;
    const char *at = place + 1, *name;
    while (at < end && (isdigit((unsigned char)*at) || *at == ':'))
        at++;
    name = skip_blanks(at, end);
    if (at == place + 1 || name == at || name == end)
        return false;
    char head[64] = {0};
    size_t size = (size_t)(place - line);
    memcpy(head, line, size < sizeof head - 1 ? size : sizeof head - 1);
    tac_str_add_bytes(hold, name, (size_t)(end - name));
    frame->library = strncmp(head, "dart:", 5) == 0 || is_library_name(head);
    frame->line = decimal(place + 1, end);
    frame->complete = true;
    return true;
}

/* The stem of a path: "/data/app/main.py" -> "main"; of a package's __init__ the folder. */
static void add_module(const char *path, size_t length, tac_str *hold)
{
    size_t end = length;
    if (end > 12 && memcmp(path + end - 12, "/__init__.py", 12) == 0)
        end -= 12;
    size_t begin = end;
    while (begin > 0 && path[begin - 1] != '/' && path[begin - 1] != '\\')
        begin--;
    size_t stop = begin;
    while (stop < end && path[stop] != '.')
        stop++;
    tac_str_add_bytes(hold, path + begin, stop > begin ? stop - begin : end - begin);
}

bool python_frame(const char *line, size_t length, struct stack_frame *frame, tac_str *hold)
{
    const char *end = line + length;
    if (length < 10 || strncmp(line, "File \"", 6) != 0)
        return false;
    const char *path = line + 6, *quote = memchr(path, '"', (size_t)(end - path));
    if (!quote || quote == path)
        return false;
    size_t size = (size_t)(quote - path);
    const char *number = memmem(quote, (size_t)(end - quote), ", line ", 7);
    const char *in = number ? memmem(number, (size_t)(end - number), ", in ", 5) : NULL;
    if (!number) /* a syntax error's place has no function */
        return false;
    add_module(path, size, hold);
    if (in) {
        tac_str_add_char(hold, '.');
        tac_str_add_bytes(hold, in + 5, (size_t)(end - in - 5));
    }
    frame->library = *path == '<' || memmem(path, size, "site-packages", 13) ||
                     memmem(path, size, "dist-packages", 13) ||
                     memmem(path, size, "/lib/python", 11);
    frame->line = decimal(number + 7, end);
    frame->complete = true;
    return true;
}

bool unity_frame(const char *line, size_t length, struct stack_frame *frame, tac_str *hold)
{
    const char *end = line + length;
    const char *place = memmem(line, length, " (at ", 5), *stop = line;
    if (!place || end[-1] != ')' || !memchr(place, ':', (size_t)(end - place)))
        return false;
    while (stop < place && *stop != '(' && *stop != ' ')
        stop++;
    const char *open = stop < place && *stop == ' ' ? stop + 1 : stop;
    if (open >= place || *open != '(' || place[-1] != ')')
        return false;
    for (const char *c = line; c < stop; c++)
        if (!isalnum((unsigned char)*c) && !strchr("_.:<>`+", *c))
            return false;
    if (!isalpha((unsigned char)*line) && *line != '_')
        return false;
    for (const char *c = line; c < stop; c++)
        tac_str_add_char(hold, *c == ':' ? '.' : *c);
    frame->line = frame_line_number(place, end - 1);
    frame->complete = true;
    return true;
}
