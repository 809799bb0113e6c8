/* Clusters of failures: the topmost stack frame that belongs to the app (mining paper, section 4).
 *
 * The frames of the innermost cause come first: sections of a stack are split at "Caused by:", and
 * searched from the last to the first; "Suppressed:" sections are left out. In a section the first
 * frame with one of the app's package prefixes wins; without any (obfuscated names), the first
 * frame that no framework claims. A stack without such a frame, or cut before it, clusters by
 * exception and topmost frame. Offsets, line numbers and the counters of lambdas are left out,
 * because they differ between builds and runs. Cost: linear in the stack. */
#include "mining/runs/runs.h"
#include <ctype.h>

static const char framework_prefixes[] =
    "android.,androidx.,com.android.,com.google.android.,dalvik.,java.,javax.,jdk.,sun.,libcore.,"
    "kotlin.,kotlinx.,org.apache.http.,org.json.,org.xml.,art::,std::,__,node:,internal/,"
    "chrome-extension:";
static const char system_libraries[] =
    "/system/,/apex/,/vendor/,/product/,/"
    "linker,libc.so,libc++_shared.so,libart.so,libm.so,liblog.so,"
    "libandroid_runtime.so,libutils.so,libbinder.so,linux-vdso,[vdso],[anon";

enum { MAX_SECTIONS = 64 };

struct frame {
    const char *name; /* package.Class.method, library!symbol or function */
    size_t length;
    bool framework, complete;
};

/* Whether text (of the length) begins with one of the comma-separated prefixes. */
static bool has_prefix(const char *text, size_t length, const char *prefixes)
{
    while (prefixes && *prefixes) {
        const char *comma = strchr(prefixes, ',');
        size_t size = comma ? (size_t)(comma - prefixes) : strlen(prefixes);
        if (size && size <= length && memcmp(text, prefixes, size) == 0)
            return true;
        prefixes = comma ? comma + 1 : NULL;
    }
    return false;
}

/* "#00 pc 0001a2b4  /data/app/x/lib/arm/libfoo.so (symbol+12)": library and symbol. */
static bool native_frame(const char *line, size_t length, struct frame *frame, tac_str *hold)
{
    const char *end = line + length, *at = line;
    if (length < 5 || *at != '#' || !isdigit((unsigned char)at[1]))
        return false;
    const char *path = NULL;
    for (const char *c = at; c < end; c++)
        if ((*c == '/' || *c == '[') && c > line && c[-1] == ' ') {
            path = c;
            break;
        }
    if (!path) /* "#3 0x... libfoo.so" or a cut line */
        return false;
    const char *stop = path;
    while (stop < end && *stop != ' ')
        stop++;
    const char *base = path;
    for (const char *c = path; c < stop; c++)
        if (*c == '/')
            base = c + 1;
    tac_str_clear(hold);
    tac_str_add_bytes(hold, base, (size_t)(stop - base));
    const char *open = memchr(stop, '(', (size_t)(end - stop));
    if (open && strncmp(open, "(BuildId", 8) != 0 && strncmp(open, "(offset", 7) != 0) {
        const char *symbol = open + 1, *last = symbol;
        while (last < end && *last != '+' && *last != ')')
            last++;
        tac_str_add_char(hold, '!');
        tac_str_add_bytes(hold, symbol, (size_t)(last - symbol));
    }
    frame->framework = has_prefix(path, (size_t)(stop - path), system_libraries) ||
                       has_prefix(base, (size_t)(stop - base), system_libraries);
    frame->complete = true;
    return true;
}

/* "at a.b.C.method(File.java:12)", "at method (file.js:1:2)", "method@file.js:1:2". */
static bool managed_frame(const char *line, size_t length, struct frame *frame, tac_str *hold)
{
    const char *end = line + length, *name = line;
    const char *sign = memchr(line, '@', length);
    if (length > 3 && strncmp(line, "at ", 3) == 0) {
        name = line + 3;
        for (const char *word = "async new "; *word; word += strcspn(word, " ") + 1) {
            size_t size = strcspn(word, " ") + 1;
            if ((size_t)(end - name) > size && strncmp(name, word, size) == 0)
                name += size;
        }
        const char *slash = memchr(name, '/', (size_t)(end - name)); /* java.base/java.util... */
        const char *open = memchr(name, '(', (size_t)(end - name));
        if (slash && open && slash < open && !memchr(name, ' ', (size_t)(slash - name)) &&
            !memchr(name, '$', (size_t)(slash - name)))
            name = slash + 1;
    } else if (!sign || sign == line || memchr(line, ' ', (size_t)(sign - line)))
        return false;
    else
        end = sign;
    const char *stop = name;
    while (stop < end && *stop != '(' && *stop != ' ')
        stop++;
    if (stop == name)
        return false;
    tac_str_clear(hold);
    tac_str_add_bytes(hold, name, (size_t)(stop - name));
    const char *place = stop < end ? stop : name;
    while (place < end && (*place == ' ' || *place == '('))
        place++;
    frame->framework = has_prefix(name, (size_t)(stop - name), framework_prefixes) ||
                       has_prefix(place, (size_t)(end - place), "node:,internal/");
    frame->complete = end != line + length || (stop < end && end[-1] == ')');
    return true;
}

/* lambda$onCreate$0 -> onCreate, $$Lambda$12/0x1f -> $$Lambda, ExternalSyntheticLambda3 -> ... */
static void steady_name(tac_str *name)
{
    char *text = name->text, *found;
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
    name->length = strlen(text);
}

static bool read_frame(const char *line, size_t length, struct frame *frame, tac_str *hold)
{
    while (length && isspace((unsigned char)*line))
        line++, length--;
    while (length && isspace((unsigned char)line[length - 1]))
        length--;
    if (!native_frame(line, length, frame, hold) && !managed_frame(line, length, frame, hold))
        return false;
    if (hold->length == 0)
        return false;
    steady_name(hold);
    frame->name = hold->text;
    frame->length = hold->length;
    return true;
}

struct search {
    const char *packages, *framework;
    tac_str own, other, any; /* first frame of the app, of nobody's framework, of all */
};

static void search_section(struct search *search, const char *at, const char *end)
{
    tac_str hold = {0};
    while (at < end) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        const char *stop = newline ? newline : end;
        struct frame frame;
        bool last = stop == end;
        if (read_frame(at, (size_t)(stop - at), &frame, &hold) && (frame.complete || !last)) {
            if (search->any.length == 0)
                tac_str_add(&search->any, frame.name);
            bool framework =
                frame.framework || has_prefix(frame.name, frame.length, search->framework);
            if (!framework && search->other.length == 0)
                tac_str_add(&search->other, frame.name);
            if (search->own.length == 0 && has_prefix(frame.name, frame.length, search->packages))
                tac_str_add(&search->own, frame.name);
        }
        at = newline ? newline + 1 : end;
    }
    tac_str_free(&hold);
}

/* Where the sections of a stack begin and end; suppressed exceptions are left out. */
static size_t split_sections(const char *stack, const char **from, const char **to)
{
    size_t count = 0;
    bool keep = true;
    const char *start = stack, *at = stack;
    while (*at) {
        size_t blank = strspn(at, " \t");
        bool cause = strncmp(at + blank, "Caused by:", 10) == 0;
        bool suppressed = strncmp(at + blank, "Suppressed:", 11) == 0;
        if ((cause || suppressed) && count < MAX_SECTIONS - 1) {
            if (keep && at > start) {
                from[count] = start;
                to[count++] = at;
            }
            start = at;
            keep = cause;
        }
        at += strcspn(at, "\n");
        at += *at == '\n';
    }
    if (keep && at > start) {
        from[count] = start;
        to[count++] = at;
    }
    return count;
}

/* "java.lang.IllegalStateException: text" -> the class. */
static void exception_name(const char *text, tac_str *out)
{
    size_t blank = strspn(text, " \t");
    text += blank;
    if (strncmp(text, "FATAL EXCEPTION: ", 17) == 0)
        text += 17;
    size_t size = strcspn(text, ": \n\r\t");
    tac_str_add_bytes(out, text, size < 200 ? size : 200);
}

static char *name_without_app_frame(const char *exception, const char *stack, const char *top)
{
    tac_str name = {0};
    if (exception && *exception)
        exception_name(exception, &name);
    else if (stack && strncmp(stack, "at ", 3) != 0 && stack[0] != '#' && stack[0] != ' ' &&
             stack[0] != '\t')
        exception_name(stack, &name);
    if (name.length == 0)
        tac_str_add(&name, "fail");
    if (top && *top)
        tac_str_addf(&name, " at %s", top);
    return tac_str_take(&name);
}

char *tac_stack_cluster(const char *exception, const char *stack, const char *packages,
                        const char *framework)
{
    const char *from[MAX_SECTIONS], *to[MAX_SECTIONS];
    struct search search = {.packages = packages, .framework = framework};
    size_t sections = stack ? split_sections(stack, from, to) : 0;
    tac_str other = {0}, any = {0};
    char *name = NULL;
    for (size_t i = sections; i-- > 0 && !name;) {
        search_section(&search, from[i], to[i]);
        if (search.own.length || (!packages && search.other.length))
            name = tac_strdup(packages ? search.own.text : search.other.text);
        if (other.length == 0)
            tac_str_add(&other, tac_str_text(&search.other));
        if (any.length == 0)
            tac_str_add(&any, tac_str_text(&search.any));
        tac_str_clear(&search.own);
        tac_str_clear(&search.other);
        tac_str_clear(&search.any);
    }
    if (!name)
        name = other.length ? tac_strdup(other.text)
                            : name_without_app_frame(exception, stack, tac_str_text(&any));
    tac_str_free(&search.own);
    tac_str_free(&search.other);
    tac_str_free(&search.any);
    tac_str_free(&other);
    tac_str_free(&any);
    return name;
}
