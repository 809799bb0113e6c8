/* Frames of native code: debuggerd and ANR traces ("#00 pc 1a2b  /data/.../libfoo.so (symbol+12)",
 * with a path or without), sanitizers and debuggers ("#0 0x1a2b in symbol file.c:3"), Chromium's
 * own ("#0 0x1a2b symbol()"), Dart's machine ("pc 0x1 fp 0x2 symbol()", "#0 abs 1 virt 2 code+0x2")
 * and what reads minidumps
 * ("1  libfoo.so!symbol [file.c : 3 + 0x5]"). Offsets within a symbol differ between builds and
 * are left out; where an image has no symbols, the offset in it is all there is. */
#include "mining/crash/frame_forms.h"
#include <ctype.h>

static const char system_libraries[] =
    "/system/,/apex/,/vendor/,/product/,/odm/,/usr/,/lib/,/lib64/,/"
    "linker,libc.so,libc++_shared.so,libart.so,libm.so,liblog.so,libdl.so,libandroid.so,"
    "libandroid_runtime.so,libutils.so,libbinder.so,libhwui.so,libgui.so,libEGL.so,libGLESv2.so,"
    "libmonochrome.so,libwebviewchromium.so,linux-vdso,[vdso],[anon,[vectors],[stack,<anonymous,"
    "<unknown>";

const char *skip_blanks(const char *at, const char *end)
{
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    return at;
}

const char *skip_hex(const char *at, const char *end)
{
    const char *digits = end - at > 2 && at[0] == '0' && at[1] == 'x' ? at + 2 : at;
    const char *stop = digits;
    while (stop < end && isxdigit((unsigned char)*stop))
        stop++;
    return stop > digits && (stop == end || *stop == ' ' || *stop == '\t') ? stop : at;
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
    while (last > symbol && last[-1] == ' ')
        last--;
    return last;
}

/* "+0x1f2e" without leading zeros: one image has the same offset in every report of a build. */
static void add_offset(const char *digits, const char *end, tac_str *hold)
{
    if (end - digits > 2 && digits[0] == '0' && digits[1] == 'x')
        digits += 2;
    while (end - digits > 1 && *digits == '0')
        digits++;
    tac_str_add(hold, "+0x");
    tac_str_add_bytes(hold, digits, (size_t)(end - digits));
}

/* Where "+0x1f2e" at the end of a path begins; the end when there is none. */
static const char *offset_in(const char *path, const char *stop)
{
    for (const char *c = stop; c > path + 3; c--)
        if (c[-1] == '+' && stop - c > 2 && c[0] == '0' && c[1] == 'x')
            return c - 1;
        else if (!isxdigit((unsigned char)c[-1]) && c[-1] != 'x')
            return stop;
    return stop;
}

bool is_library_symbol(const char *symbol, const char *end)
{
    char head[64] = {0};
    size_t size = (size_t)(end - symbol);
    memcpy(head, symbol, size < sizeof head - 1 ? size : sizeof head - 1);
    return is_library_name(head);
}

/* The image's name without its folders, of "base.apk!libfoo.so" the inner one; how far it goes. */
static const char *add_image(const char *path, const char *end, struct stack_frame *frame,
                             tac_str *hold)
{
    const char *base = path;
    for (const char *c = path; c < end; c++)
        if (*c == '/')
            base = c + 1;
    const char *inner = memchr(base, '!', (size_t)(end - base));
    if (inner && inner + 1 < end)
        base = inner + 1;
    const char *stop = offset_in(base, end);
    bool nameless = has_prefix(base, (size_t)(stop - base), "<anonymous");
    tac_str_add_bytes(hold, base, nameless ? strlen("<anonymous") : (size_t)(stop - base));
    tac_str_add(hold, nameless ? ">" : "");
    frame->library = has_prefix(path, (size_t)(end - path), system_libraries) ||
                     has_prefix(base, (size_t)(stop - base), system_libraries);
    frame->complete = true;
    return stop;
}

/* A library, by its path or name, with the symbol in parentheses behind it. address: of the
 * program counter in the library, as digits; NULL: not told. */
static bool library_frame(const char *path, const char *end, const char *address,
                          struct stack_frame *frame, tac_str *hold)
{
    const char *stop = path;
    while (stop < end && *stop != ' ')
        stop++;
    if (stop == path || stop[-1] == '/')
        return false;
    const char *offset = add_image(path, stop, frame, hold);
    const char *open = memchr(stop, '(', (size_t)(end - stop));
    while (open && (strncmp(open, "(offset", 7) == 0 || strncmp(open, "(deleted", 8) == 0))
        open = memchr(open + 1, '(', (size_t)(end - open - 1));
    if (open && strncmp(open, "(BuildId", 8) != 0 && strncmp(open, "(???", 4) != 0) {
        const char *symbol = open + 1, *last = symbol_end(symbol, end);
        tac_str_add_char(hold, '!');
        tac_str_add_bytes(hold, symbol, (size_t)(last - symbol));
        frame->library = frame->library || is_library_symbol(symbol, last);
    } else if (!frame->library && offset < stop) {
        add_offset(offset + 1, stop, hold);
    } else if (!frame->library && address) {
        add_offset(address, skip_hex(address, end), hold);
    }
    return true;
}

/* A symbol to the end of the line, without "[file.cc:3]" and without what it was called with. */
static bool bare_symbol(const char *symbol, const char *end, struct stack_frame *frame,
                        tac_str *hold)
{
    const char *stop = memmem(symbol, (size_t)(end - symbol), " [", 2);
    stop = stop ? stop : end;
    if (stop == symbol)
        return false;
    bool unknown = has_prefix(symbol, (size_t)(stop - symbol), "<unknown>,Unknown symbol");
    tac_str_add_bytes(hold, symbol, (size_t)(stop - symbol));
    frame->library = unknown || is_library_symbol(symbol, stop);
    frame->complete = true;
    return true;
}

/* Whether "name rest" begins with a file rather than with a symbol. */
static bool is_image(const char *text, const char *end)
{
    const char *stop = text;
    while (stop < end && *stop != ' ')
        stop++;
    size_t size = (size_t)(stop - text);
    return has_prefix(text, size, "/,[,<anonymous") || memmem(text, size, ".so", 3) ||
           memmem(text, size, ".apk", 4) || offset_in(text, stop) < stop;
}

/* "symbol (x=1) at file.c:3", "ns::f(int) /src/file.c:3:1", "f (/lib/libc.so.6+0x1f)". */
static bool debugger_frame(const char *symbol, const char *end, struct stack_frame *frame,
                           tac_str *hold)
{
    const char *stop = symbol;
    while (stop < end && !(*stop == ' ' && stop + 1 < end && strchr("(/", stop[1])) &&
           strncmp(stop, " at ", (size_t)(end - stop) < 4 ? (size_t)(end - stop) : 4) != 0)
        stop++;
    if (stop == symbol || *symbol == '?')
        return false;
    const char *place = skip_blanks(stop, end);
    if (place < end && *place == '(')
        place++;
    tac_str_add_bytes(hold, symbol, (size_t)(stop - symbol));
    frame->library = has_prefix(place, (size_t)(end - place), system_libraries);
    frame->line = frame_line_number(place, end);
    return true;
}

bool native_frame(const char *line, size_t length, struct stack_frame *frame, tac_str *hold)
{
    const char *end = line + length;
    if (length > 8 && strncmp(line, "native: ", 8) == 0)
        line += 8;
    if (end - line < 5 || *line != '#' || !isdigit((unsigned char)line[1]))
        return false;
    const char *at = line + 1;
    while (at < end && isdigit((unsigned char)*at))
        at++;
    at = skip_blanks(at, end);
    frame->complete = true;
    bool counter = end - at > 3 && strncmp(at, "pc ", 3) == 0;
    const char *address = skip_blanks(counter ? at + 3 : at, end), *behind = skip_hex(address, end);
    bool addressed = behind > address && (counter || strncmp(address, "0x", 2) == 0);
    const char *next = addressed ? skip_blanks(behind, end) : at;
    if (addressed && !counter && end - next > 3 && strncmp(next, "in ", 3) == 0)
        return debugger_frame(next + 3, end, frame, hold);
    if (addressed && next < end && *next != '(')
        return counter || is_image(next, end)
                   ? library_frame(next, end, counter ? address : NULL, frame, hold)
                   : bare_symbol(next, end, frame, hold);
    if (addressed && !counter && end - next > 3 && next[1] == '/' && end[-1] == ')')
        return library_frame(next + 1, end - 1, NULL, frame, hold);
    for (const char *c = at; c < end; c++) /* other columns before a path */
        if ((*c == '/' || *c == '[') && c[-1] == ' ')
            return library_frame(c, end, NULL, frame, hold);
    const char *open = memchr(at, '(', (size_t)(end - at));
    bool placed = open && (memmem(open, (size_t)(end - open), ") at ", 5) ||
                           memmem(open, (size_t)(end - open), ") from ", 7));
    return !addressed && placed && debugger_frame(at, end, frame, hold);
}

/* Behind "word 0x1f2e "; NULL when that does not stand there. */
static const char *skip_register(const char *at, const char *end, const char *word)
{
    size_t size = strlen(word);
    if ((size_t)(end - at) <= size || strncmp(at, word, size) != 0 || at[size] != '0')
        return NULL;
    const char *behind = skip_hex(at + size, end);
    return behind > at + size + 2 ? skip_blanks(behind, end) : NULL;
}

/* "#00 abs 0072 virt 001e _kDartIsolateSnapshotInstructions+0x1e": code without names. */
static bool snapshot_frame(const char *line, const char *end, struct stack_frame *frame,
                           tac_str *hold)
{
    const char *at = line + 1;
    while (at < end && isdigit((unsigned char)*at))
        at++;
    for (int column = 0; column < 2; column++) {
        const char *word = column ? "virt " : "abs ";
        at = skip_blanks(at, end);
        if (!has_prefix(at, (size_t)(end - at), word))
            return false;
        const char *digits = at + strlen(word);
        at = skip_hex(digits, end);
        if (at == digits)
            return false;
    }
    at = skip_blanks(at, end);
    return at < end && library_frame(at, end, NULL, frame, hold);
}

bool vm_frame(const char *line, size_t length, struct stack_frame *frame, tac_str *hold)
{
    const char *end = line + length, *at = skip_register(line, end, "pc "), *more;
    if (length > 10 && line[0] == '#' && isdigit((unsigned char)line[1]))
        return snapshot_frame(line, end, frame, hold);
    at = at ? skip_register(at, end, "fp ") : NULL;
    if (at && (more = skip_register(at, end, "sp ")))
        at = more;
    if (!at || at == end)
        return false;
    return is_image(at, end) ? library_frame(at, end, NULL, frame, hold)
                             : bare_symbol(at, end, frame, hold);
}

bool stackwalk_frame(const char *line, size_t length, struct stack_frame *frame, tac_str *hold)
{
    const char *end = line + length, *at = line;
    while (at < end && isdigit((unsigned char)*at))
        at++;
    const char *module = skip_blanks(at, end), *sum = NULL;
    if (at == line || at - line > 4 || module == at || module == end)
        return false;
    for (const char *c = module; c + 5 < end; c++)
        if (strncmp(c, " + 0x", 5) == 0)
            sum = c;
    if (!sum || sum == module || (end[-1] != ']' && !isxdigit((unsigned char)end[-1])))
        return false;
    const char *bang = memchr(module, '!', (size_t)(sum - module));
    if (!bang && (skip_hex(sum + 3, end) != end || memchr(module, ' ', (size_t)(sum - module))))
        return false;
    if (bang == module || (bang && memchr(module, '[', (size_t)(bang - module))))
        return false;
    add_image(module, bang ? bang : sum, frame, hold);
    if (bang) {
        const char *place = memmem(bang, (size_t)(sum - bang), " [", 2),
                   *stop = place ? place : sum;
        tac_str_add_bytes(hold, bang, (size_t)(stop - bang));
        frame->library = frame->library || is_library_symbol(bang + 1, stop);
    } else if (!frame->library) {
        add_offset(sum + 3, end, hold);
    }
    return true;
}
