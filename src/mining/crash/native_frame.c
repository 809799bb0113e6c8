/* Frames of native code: debuggerd and ANR traces ("#00 pc 1a2b  /data/.../libfoo.so (symbol+12)",
 * with a path or without), sanitizers and debuggers ("#0 0x1a2b in symbol file.c:3"), and Apple's
 * reports ("1   App   0x0001 -[Class method:] + 12"). Offsets within a symbol differ between
 * builds and are left out; where an image has no symbols, the offset in it is all there is. */
#include "base/check.h"
#include "mining/crash/frame_forms.h"
#include <ctype.h>

static const char system_libraries[] =
    "/system/,/apex/,/vendor/,/product/,/odm/,/usr/,/lib/,/lib64/,/"
    "linker,libc.so,libc++_shared.so,libart.so,libm.so,liblog.so,libdl.so,libandroid.so,"
    "libandroid_runtime.so,libutils.so,libbinder.so,libhwui.so,libgui.so,libEGL.so,libGLESv2.so,"
    "libmonochrome.so,libwebviewchromium.so,linux-vdso,[vdso],[anon,[vectors],[stack,<anonymous,"
    "<unknown>";

/* Images of Apple's systems; by their whole names, those that begin with "lib" by that. */
static const char *const apple_images[] = {"UIKitCore",
                                           "UIKit",
                                           "Foundation",
                                           "CoreFoundation",
                                           "CoreData",
                                           "QuartzCore",
                                           "GraphicsServices",
                                           "SwiftUI",
                                           "SwiftUICore",
                                           "AttributeGraph",
                                           "dyld",
                                           "dyld_sim",
                                           "CFNetwork",
                                           "AVFoundation",
                                           "AVFAudio",
                                           "WebKit",
                                           "WebCore",
                                           "JavaScriptCore",
                                           "MapKit",
                                           "CoreLocation",
                                           "Metal",
                                           "CoreGraphics",
                                           "CoreText",
                                           "ImageIO",
                                           "Security",
                                           "Combine",
                                           "StoreKit",
                                           "CoreAutoLayout",
                                           "BaseBoard",
                                           "Network",
                                           "CoreBluetooth",
                                           "CoreMedia",
                                           "CoreVideo",
                                           "CoreImage",
                                           "UserNotifications",
                                           "UIFoundation",
                                           "AppKit",
                                           "HIToolbox",
                                           "FrontBoardServices",
                                           "BackBoardServices",
                                           "UIKitMacHelper",
                                           "AudioToolbox",
                                           "VectorKit",
                                           "CoreServices",
                                           "CoreTelephony",
                                           "IOKit",
                                           "MediaPlayer",
                                           "PhotosUICore",
                                           "RunningBoardServices",
                                           "Flutter",
                                           "hermes"};

static bool is_apple_image(const char *name, size_t length)
{
    if (has_prefix(name, length, "lib"))
        return true;
    for (size_t i = 0; i < sizeof apple_images / sizeof *apple_images; i++)
        if (strlen(apple_images[i]) == length && memcmp(apple_images[i], name, length) == 0)
            return true;
    return false;
}

static const char *skip_blanks(const char *at, const char *end)
{
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    return at;
}

/* Behind "0x1f2e" or, without the 0x, behind the digits; at itself when there is no number. */
static const char *skip_hex(const char *at, const char *end)
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

/* A library, by its path or name, with the symbol in parentheses behind it. */
static bool library_frame(const char *path, const char *end, struct stack_frame *frame,
                          tac_str *hold)
{
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
    if (base == stop)
        return false;
    bool nameless = has_prefix(base, (size_t)(stop - base), "<anonymous");
    tac_str_add_bytes(hold, base, nameless ? strlen("<anonymous") : (size_t)(stop - base));
    tac_str_add(hold, nameless ? ">" : "");
    const char *open = memchr(stop, '(', (size_t)(end - stop));
    while (open && (strncmp(open, "(offset", 7) == 0 || strncmp(open, "(deleted", 8) == 0))
        open = memchr(open + 1, '(', (size_t)(end - open - 1));
    if (open && strncmp(open, "(BuildId", 8) != 0 && strncmp(open, "(???", 4) != 0) {
        const char *symbol = open + 1, *last = symbol_end(symbol, end);
        tac_str_add_char(hold, '!');
        tac_str_add_bytes(hold, symbol, (size_t)(last - symbol));
    }
    frame->library = has_prefix(path, (size_t)(stop - path), system_libraries) ||
                     has_prefix(base, (size_t)(stop - base), system_libraries);
    return true;
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
        return library_frame(next, end, frame, hold);
    for (const char *c = at; c < end; c++) /* other columns before a path */
        if ((*c == '/' || *c == '[') && c[-1] == ' ')
            return library_frame(c, end, frame, hold);
    const char *open = memchr(at, '(', (size_t)(end - at));
    bool placed = open && (memmem(open, (size_t)(end - open), ") at ", 5) ||
                           memmem(open, (size_t)(end - open), ") from ", 7));
    return !addressed && placed && debugger_frame(at, end, frame, hold);
}

/* The symbol behind the address: "-[C m:] + 12 (C.m:3)", "0x102c4c000 + 1234", "C.m(_:) + 1". */
static void apple_symbol(const char *symbol, const char *end, tac_str *hold)
{
    const char *stop = NULL;
    for (const char *c = symbol; c + 3 < end && !stop; c++)
        if (strncmp(c, " + ", 3) == 0 && isdigit((unsigned char)c[3]))
            stop = c;
    if (stop && skip_hex(symbol, stop) == stop) { /* no symbols: where in the image it is */
        const char *offset = stop + 3, *last = offset;
        while (last < end && isdigit((unsigned char)*last))
            last++;
        tac_str_add_char(hold, '+');
        tac_str_add_bytes(hold, offset, (size_t)(last - offset));
        return;
    }
    tac_str_add_char(hold, '!');
    tac_str_add_bytes(hold, symbol, (size_t)((stop ? stop : end) - symbol));
}

bool apple_frame(const char *line, size_t length, struct stack_frame *frame, tac_str *hold)
{
    const char *end = line + length, *image = line;
    while (image < end && isdigit((unsigned char)*image))
        image++;
    if (image == line || image - line > 3 || image == end || (*image != ' ' && *image != '\t'))
        return false;
    image = skip_blanks(image, end);
    const char *address = image;
    while (address < end &&
           !(end - address > 8 && (address[-1] == ' ' || address[-1] == '\t') &&
             strncmp(address, "0x", 2) == 0 && skip_hex(address, end) > address + 7))
        address++;
    const char *last = address;
    while (last > image && (last[-1] == ' ' || last[-1] == '\t'))
        last--;
    if (address == end || last == image || last - image > 60)
        return false;
    for (const char *c = image; c < last; c++)
        if (strchr(":|[]#\t", *c)) /* a log's prefix */
            return false;
    const char *symbol = skip_blanks(skip_hex(address, end), end);
    if (symbol == end)
        return false;
    tac_str_add_bytes(hold, image, (size_t)(last - image));
    apple_symbol(symbol, end, hold);
    frame->library = is_apple_image(image, (size_t)(last - image));
    frame->complete = true;
    assert(hold->length > 0);
    return true;
}
