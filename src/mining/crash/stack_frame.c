/* One line of a stack: Java and Kotlin, JavaScript of both engines' ways, native code as debuggerd
 * and ANR traces write it. Line numbers, offsets and the counters of lambdas are left out of names,
 * because they differ between builds and runs. */
#include "base/check.h"
#include "mining/crash/crash.h"
#include <ctype.h>

static const char system_libraries[] =
    "/system/,/apex/,/vendor/,/product/,/odm/,/"
    "linker,libc.so,libc++_shared.so,libart.so,libm.so,liblog.so,libdl.so,libandroid.so,"
    "libandroid_runtime.so,libutils.so,libbinder.so,libhwui.so,libgui.so,libEGL.so,libGLESv2.so,"
    "libmonochrome.so,libwebviewchromium.so,linux-vdso,[vdso],[anon,[vectors],[stack";

/* The path of "#00 pc 0001a2b4  /data/app/x/lib/arm/libfoo.so (symbol+12)". */
static const char *native_path(const char *line, const char *end)
{
    for (const char *c = line + 1; c < end; c++)
        if ((*c == '/' || *c == '[') && c[-1] == ' ')
            return c;
    return NULL;
}

/* Behind the symbol of "(ns::draw(int, char*)+16)": its own parentheses belong to it. */
static const char *symbol_end(const char *symbol, const char *end)
{
    int depth = 0;
    const char *last = symbol;
    for (; last < end; last++) {
        bool offset = *last == '+' && last + 1 < end && isdigit((unsigned char)last[1]);
        if (depth == 0 && (offset || *last == ')'))
            break;
        depth += *last == '(' ? 1 : *last == ')' ? -1 : 0;
    }
    return last;
}

static bool native_frame(const char *line, size_t length, struct stack_frame *frame, tac_str *hold)
{
    const char *end = line + length;
    if (length > 8 && strncmp(line, "native: ", 8) == 0)
        line += 8;
    if (end - line < 5 || *line != '#' || !isdigit((unsigned char)line[1]))
        return false;
    const char *path = native_path(line, end);
    if (!path) /* "#3 0x... libfoo.so" or a cut line */
        return false;
    const char *stop = path;
    while (stop < end && *stop != ' ')
        stop++;
    const char *base = path;
    for (const char *c = path; c < stop; c++)
        if (*c == '/')
            base = c + 1;
    const char *inner = memchr(base, '!', (size_t)(stop - base)); /* base.apk!libfoo.so */
    if (inner && inner + 1 < stop)
        base = inner + 1;
    tac_str_add_bytes(hold, base, (size_t)(stop - base));
    const char *open = memchr(stop, '(', (size_t)(end - stop));
    while (open && (strncmp(open, "(offset", 7) == 0 || strncmp(open, "(deleted", 8) == 0))
        open = memchr(open + 1, '(', (size_t)(end - open - 1));
    if (open && strncmp(open, "(BuildId", 8) != 0) {
        const char *symbol = open + 1, *last = symbol_end(symbol, end);
        tac_str_add_char(hold, '!');
        tac_str_add_bytes(hold, symbol, (size_t)(last - symbol));
    }
    frame->library = has_prefix(path, (size_t)(stop - path), system_libraries) ||
                     has_prefix(base, (size_t)(stop - base), system_libraries);
    frame->complete = true;
    return true;
}

/* Words between "at" and the name. */
static const char *skip_words(const char *name, const char *end)
{
    static const char *const words[] = {"async ", "new "};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t size = strlen(words[i]);
        if ((size_t)(end - name) > size && strncmp(name, words[i], size) == 0)
            name += size;
    }
    const char *slash = memchr(name, '/', (size_t)(end - name)); /* java.base/java.util... */
    const char *open = memchr(name, '(', (size_t)(end - name));
    if (slash && open && slash < open && !memchr(name, ' ', (size_t)(slash - name)) &&
        !memchr(name, '$', (size_t)(slash - name)))
        name = slash + 1;
    return name;
}

static uint32_t line_number(const char *place, const char *end)
{
    const char *colon = NULL;
    for (const char *c = place; c < end; c++)
        if (*c == ':')
            colon = c;
    uint32_t line = 0;
    for (const char *c = colon ? colon + 1 : end; c < end && isdigit((unsigned char)*c); c++)
        line = line < 100000000 ? line * 10 + (uint32_t)(*c - '0') : line;
    return line;
}

/* "at a.b.C.method(File.java:12)", "at method (file.js:1:2)", "method@file.js:1:2". */
static bool managed_frame(const char *line, size_t length, struct stack_frame *frame, tac_str *hold)
{
    const char *end = line + length, *name = line;
    const char *sign = memchr(line, '@', length);
    if (length > 3 && strncmp(line, "at ", 3) == 0)
        name = skip_words(line + 3, end);
    else if (!sign || sign == line || memchr(line, ' ', (size_t)(sign - line)) ||
             !memchr(sign, ':', (size_t)(end - sign)))
        return false;
    else
        end = sign;
    const char *stop = name;
    while (stop < end && *stop != '(' && *stop != ' ')
        stop++;
    if (stop == name)
        return false;
    tac_str_add_bytes(hold, name, (size_t)(stop - name));
    const char *place = stop < end ? stop : name;
    while (place < end && (*place == ' ' || *place == '('))
        place++;
    const char *close = memchr(stop, ')', (size_t)(end - stop));
    frame->library = has_prefix(place, (size_t)(end - place), "node:,internal/");
    frame->line = line_number(place, close ? close : end);
    frame->complete = end != line + length || close;
    return true;
}

void stack_frame_steady(tac_str *name)
{
    char *text = name->text, *found = strstr(text, "$lambda$");
    if (found && isdigit((unsigned char)found[8])) /* Kotlin: Screen$lambda$38$lambda$37 */
        *found = '\0';
    if ((found = strstr(text, "lambda$"))) {
        char *method = found + 7, *dollar = strchr(method, '$');
        size_t size = dollar ? (size_t)(dollar - method) : strlen(method);
        memmove(found, method, size);
        found[size] = '\0';
    }
    if ((found = strstr(text, "SyntheticLambda")) || (found = strstr(text, "$$Lambda"))) {
        char *end = found + (found[0] == '$' ? 8 : 15), *rest = end;
        while (isxdigit((unsigned char)*rest) || *rest == '$' || *rest == '/' || *rest == 'x')
            rest++;
        memmove(end, rest, strlen(rest) + 1);
    }
    assert(strlen(text) <= name->length);
    name->length = strlen(text);
}

bool stack_frame_read(const char *line, size_t length, tac_arena *arena, struct stack_frame *out)
{
    while (length && isspace((unsigned char)*line))
        line++, length--;
    while (length && isspace((unsigned char)line[length - 1]))
        length--;
    tac_str hold = {0};
    *out = (struct stack_frame){0};
    bool read = length && !memchr(line, '\0', length) &&
                (native_frame(line, length, out, &hold) || managed_frame(line, length, out, &hold));
    if (read && hold.length) {
        stack_frame_steady(&hold);
        out->name = tac_arena_strdup(arena, hold.text);
    }
    tac_str_free(&hold);
    return out->name != NULL;
}
