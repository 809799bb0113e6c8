/* One line of a stack: Java, Kotlin and C#, JavaScript of both engines' ways here, what looks
 * different in files of its own (frame_forms.h). Line numbers, offsets and the counters of lambdas
 * are left out of names, because they differ between builds and runs. */
#include "base/check.h"
#include "mining/crash/frame_forms.h"
#include <ctype.h>

/* Words between "at" and the name. */
static const char *skip_words(const char *name, const char *end)
{
    static const char *const words[] = {"async ", "new ", "get ", "set "};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t size = strlen(words[i]);
        if ((size_t)(end - name) > size && strncmp(name, words[i], size) == 0)
            name += size;
    }
    const char *open = memchr(name, '(', (size_t)(end - name)), *slash;
    /* java.base/java.util..., app//org.example..., loader/module@1.0/org.example... */
    for (int i = 0; i < 2 && open && (slash = memchr(name, '/', (size_t)(open - name))); i++) {
        if (memchr(name, ' ', (size_t)(slash - name)) || memchr(name, '$', (size_t)(slash - name)))
            break;
        name = slash + 1;
    }
    return name;
}

/* A place without a function, "https://h/app.js?v=1:10:5": the file alone; false: it is not one. */
static bool add_place(const char *place, const char *end, tac_str *hold)
{
    const char *stop = end;
    unsigned numbers = 0;
    while (numbers < 2 && stop > place && isdigit((unsigned char)stop[-1])) {
        const char *digits = stop;
        while (digits > place && isdigit((unsigned char)digits[-1]))
            digits--;
        if (digits == place || digits[-1] != ':')
            break;
        stop = digits - 1;
        numbers++;
    }
    if (!numbers || stop == place)
        return false;
    const char *query = memchr(place, '?', (size_t)(stop - place)), *base = place;
    stop = query && query > place ? query : stop;
    for (const char *c = place; c + 1 < stop; c++)
        if (*c == '/' || *c == '\\')
            base = c + 1;
    tac_str_add_bytes(hold, base, (size_t)(stop - base));
    return true;
}

/* What engines call code outside functions; the name has a blank. */
static bool is_outer_code(const char *name, size_t length)
{
    return has_prefix(name, length, "global code,module code,eval code") && length <= 11;
}

/* "method@file.js:1:2", "@file.js:1:2", "global code@file.js:1:2". */
static bool at_sign_frame(const char *line, size_t length, struct stack_frame *frame, tac_str *hold)
{
    const char *end = line + length, *sign = memchr(line, '@', length);
    line = sign ? skip_words(line, end) : line;
    if (!sign || !memchr(sign, ':', (size_t)(end - sign)) ||
        memchr(sign, ' ', (size_t)(end - sign)))
        return false;
    bool anonymous = sign == line || is_outer_code(line, (size_t)(sign - line));
    if (anonymous ? !add_place(sign + 1, end, hold)
                  : memchr(line, ' ', (size_t)(sign - line)) != NULL)
        return false;
    if (!anonymous)
        tac_str_add_bytes(hold, line, (size_t)(sign - line));
    frame->library = hold->text[0] == '<'; /* <unknown>@1:2 */
    frame->line = frame_line_number(sign, end);
    frame->complete = true;
    return true;
}

/* Rust: " 3: shop::cart::item", and under it the place, "at ./src/cart.rs:10:5". */
static bool rust_frame(const char *line, size_t length, struct stack_frame *frame, tac_str *hold)
{
    static const char libraries[] = "core::,std::,alloc::,<core::,<std::,<alloc::,test::,tokio::,"
                                    "rust_begin_unwind,__rust,backtrace::";
    const char *end = line + length, *at = line;
    bool place = length > 3 && !strncmp(line, "at ", 3) && memmem(line, length, ".rs:", 4) &&
                 !memchr(line, '(', length);
    while (at < end && isdigit((unsigned char)*at))
        at++;
    if (!place && (at == line || end - at < 3 || at[0] != ':' || at[1] != ' ' ||
                   (!memmem(at, (size_t)(end - at), "::", 2) &&
                    strncmp(skip_blanks(at + 1, end), "rust_", 5) != 0)))
        return false;
    const char *name = skip_blanks(at + (place ? 3 : 1), end);
    const char *hash = end - name > 19 && !memcmp(end - 19, "::h", 3) ? end - 19 : end;
    frame->library = place || has_prefix(name, (size_t)(end - name), libraries);
    frame->complete = true;
    tac_str_add_bytes(hold, name, (size_t)(hash - name));
    return name < end;
}

/* "at a.b.C.method(File.java:12)", "at method (file.js:1:2)", "at https://h/file.js:1:2". */
static bool managed_frame(const char *line, size_t length, struct stack_frame *frame, tac_str *hold)
{
    const char *end = line + length;
    if (length <= 3 || strncmp(line, "at ", 3) != 0)
        return at_sign_frame(line, length, frame, hold);
    const char *name = skip_words(line + 3, end), *stop = name;
    while (stop < end && *stop != '(' && *stop != ' ')
        stop++;
    if (stop == name)
        return false;
    bool placed = stop == end && add_place(name, end, hold);
    if (!placed)
        tac_str_add_bytes(hold, name, (size_t)(stop - name));
    const char *place = stop < end ? stop : name;
    while (place < end && (*place == ' ' || *place == '('))
        place++;
    const char *close = memchr(stop, ')', (size_t)(end - stop));
    frame->library =
        has_prefix(place, (size_t)(end - place), "node:,internal/,<anonymous>),[native code]") ||
        *name == '<';
    frame->line = frame_line_number(place, close ? close : end);
    frame->complete = close || placed;
    return true;
}

/* What stands in the brackets of a Java frame. */
static bool is_java_place(const char *place, const char *close)
{
    size_t size = (size_t)(close - place);
    if (has_prefix(place, size, "Native Method,Native method,Unknown Source,SourceFile"))
        return true;
    if (memchr(place, ' ', size))
        return false;
    return frame_line_number(place, close) > 0 || memmem(place, size, ".java", 5) ||
           memmem(place, size, ".kt", 3);
}

/* "a.b.C.method(C.java:12)" without "at", as App Center and Bugly print it: perhaps with a number
 * before and a semicolon behind. */
static bool bare_frame(const char *line, size_t length, struct stack_frame *frame, tac_str *hold)
{
    const char *end = line + length, *name = line, *stop;
    end -= end[-1] == ';';
    while (name < end && isdigit((unsigned char)*name))
        name++;
    if (name > line && (name == end || *name != ' '))
        return false;
    name += name > line;
    unsigned dots = 0;
    for (stop = name; stop < end && (isalnum((unsigned char)*stop) || strchr("_$.<>", *stop));
         stop++)
        dots += *stop == '.';
    const char *open = stop < end && *stop == ' ' ? stop + 1 : stop;
    if (dots < 2 || !isalpha((unsigned char)*name) || open >= end || *open != '(' ||
        end[-1] != ')' || !is_java_place(open + 1, end - 1))
        return false;
    tac_str_add_bytes(hold, name, (size_t)(stop - name));
    frame->line = frame_line_number(open, end - 1);
    frame->complete = true;
    return true;
}

/* Methods that the C# compiler made of another: "A.C+<Load>d__5.MoveNext" is A.C.Load. */
static void steady_state_machine(tac_str *name)
{
    char *text = name->text, *open = strrchr(text, '<'), *close = open ? strchr(open, '>') : NULL;
    if (!close || close == open + 1 || !strchr("bdg", close[1]) || !close[1] ||
        strncmp(close + 2, "__", 2) != 0)
        return;
    char *class_end = strpbrk(text, "<");
    while (class_end > text && strchr("+.", class_end[-1]))
        class_end--;
    size_t size = (size_t)(close - open - 1);
    if (class_end > text)
        *class_end++ = '.';
    memmove(class_end, open + 1, size);
    class_end[size] = '\0';
    name->length = strlen(text);
}

/* Kotlin: the body of a coroutine, "a.C$load$2$1.invokeSuspend", is a.C.load's. */
static void steady_coroutine(tac_str *name)
{
    static const char end[] = ".invokeSuspend";
    size_t size = sizeof end - 1;
    if (name->length <= size || strcmp(name->text + name->length - size, end) != 0)
        return;
    char *text = name->text, *stop = text + name->length - size, *part = stop;
    for (;;) { /* counters, and what stands between them, from the end on */
        while (part > text && part[-1] != '$' && part[-1] != '.')
            part--;
        bool counter = strspn(part, "0123456789") == (size_t)(stop - part);
        if (part == text || part[-1] != '$' || stop == part)
            return; /* a class: nothing says which method it is of */
        if (!counter && strncmp(part, "invokeSuspend", 13) != 0)
            break;
        stop = --part;
    }
    bool facade = part - text > 3 && memcmp(part - 3, "Kt$", 3) == 0; /* a file's functions */
    if (!islower((unsigned char)*part) && !facade)
        return;
    part[-1] = '.';
    *stop = '\0';
    name->length = (size_t)(stop - text);
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
    steady_state_machine(name);
    steady_coroutine(name);
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
                (dart_frame(line, length, out, &hold) || native_frame(line, length, out, &hold) ||
                 vm_frame(line, length, out, &hold) || stackwalk_frame(line, length, out, &hold) ||
                 apple_frame(line, length, out, &hold) || python_frame(line, length, out, &hold) ||
                 rust_frame(line, length, out, &hold) || managed_frame(line, length, out, &hold) ||
                 unity_frame(line, length, out, &hold) || terse_frame(line, length, out, &hold) ||
                 bare_frame(line, length, out, &hold));
    if (read && hold.length) {
        stack_frame_steady(&hold);
        out->name = tac_arena_strdup(arena, hold.text);
        out->place = script_place(line, length, arena);
    }
    tac_str_free(&hold);
    return out->name != NULL;
}
