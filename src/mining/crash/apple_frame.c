/* Frames of Apple's systems: "1   App   0x0001 -[Class method:] + 12", as the system, Crashlytics,
 * HockeyApp, Chromium and Kotlin/Native print them. Where an image has no symbols, the offset in it
 * is all there is. */
#include "mining/crash/frame_forms.h"
#include <ctype.h>

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

bool is_apple_image(const char *name, size_t length)
{
    if (has_prefix(name, length, "lib,com.apple.,???"))
        return true;
    for (size_t i = 0; i < sizeof apple_images / sizeof *apple_images; i++)
        if (strlen(apple_images[i]) == length && memcmp(apple_images[i], name, length) == 0)
            return true;
    return false;
}

/* Kotlin/Native: "kfun:a.b.C#load(kotlin.Int){}" and "kfun:a.b.C.load#internal" are a.b.C.load. */
static void add_kotlin(const char *symbol, const char *end, tac_str *hold)
{
    for (const char *c = symbol; c < end && *c != '('; c++) {
        if (*c == '#' && has_prefix(c, (size_t)(end - c), "#internal"))
            break;
        tac_str_add_char(hold, *c == '#' ? '.' : *c);
    }
}

/* The end of a symbol: before " + 12", " (in Image)" and " (File.m:3)". */
static const char *apple_symbol_end(const char *symbol, const char *end)
{
    for (const char *c = symbol; c + 3 < end; c++)
        if ((strncmp(c, " + ", 3) == 0 && isdigit((unsigned char)c[3])) ||
            has_prefix(c, (size_t)(end - c), " (in "))
            return c;
    const char *digits = end;
    if (end - symbol > 4 && digits[-1] == ')')
        for (digits--; digits > symbol && isdigit((unsigned char)digits[-1]); digits--)
            ;
    if (digits < end - 1 && digits[-1] == ':')
        for (const char *c = digits; c > symbol; c--)
            if (c[0] == '(' && c[-1] == ' ')
                return c - 1;
    return end;
}

/* Behind "0x102c4c000 + 1234", where the image is and how far in; the offset in a span. The symbol
 * itself where that does not stand there. */
static const char *behind_sum(const char *symbol, const char *end, const char **offset,
                              const char **offset_end)
{
    const char *base = skip_hex(symbol, end);
    *offset = *offset_end = NULL;
    if (base == symbol || strncmp(symbol, "0x", 2) != 0 || end - base < 4 ||
        strncmp(base, " + ", 3) != 0 || !isdigit((unsigned char)base[3]))
        return symbol;
    *offset = *offset_end = base + 3;
    while (*offset_end < end && isalnum((unsigned char)**offset_end))
        (*offset_end)++;
    const char *behind = skip_blanks(*offset_end, end);
    return end - behind > 3 && strncmp(behind, "// ", 3) == 0 ? behind + 3 : behind;
}

bool apple_frame(const char *line, size_t length, struct stack_frame *frame, tac_str *hold)
{
    const char *end = line + length, *offset, *offset_end;
    if (length > 4 && strncmp(line, "at ", 3) == 0 && isdigit((unsigned char)line[3]))
        line += 3;
    const char *image = line;
    while (image < end && isdigit((unsigned char)*image))
        image++;
    if (image == line || image - line > 3 || image == end || (*image != ' ' && *image != '\t'))
        return false;
    image = skip_blanks(image, end);
    const char *address = image;
    for (; address < end; address++) {
        size_t least = address - image > 2 && isspace((unsigned char)address[-2]) ? 4 : 7;
        if (isspace((unsigned char)address[-1]) && end - address > (ptrdiff_t)least + 1 &&
            strncmp(address, "0x", 2) == 0 && skip_hex(address, end) > address + least)
            break; /* short ones in a column of their own only */
    }
    const char *last = address;
    while (last > image && (last[-1] == ' ' || last[-1] == '\t'))
        last--;
    if (address >= end || last == image || last - image > 60)
        return false;
    for (const char *c = image; c < last; c++)
        if (strchr(":|[]#\t", *c)) /* a log's prefix */
            return false;
    const char *symbol = skip_blanks(skip_hex(address, end), end);
    if (symbol == end)
        return false;
    symbol = behind_sum(symbol, end, &offset, &offset_end);
    if (offset && end - symbol > 2 && *symbol == '(' && end[-1] == ')') { /* "(main + 12)" */
        symbol++;
        end--;
    }
    const char *stop = apple_symbol_end(symbol, end);
    bool named = symbol < stop && *symbol != '(' &&
                 !has_prefix(symbol, (size_t)(stop - symbol), "<redacted>");
    if (named && has_prefix(symbol, (size_t)(stop - symbol), "kfun:")) {
        add_kotlin(symbol + 5, stop, hold);
    } else {
        tac_str_add_bytes(hold, image, (size_t)(last - image));
        tac_str_add(hold, named ? "!" : "+");
        tac_str_add_bytes(hold, named ? symbol : offset,
                          named ? (size_t)(stop - symbol) : (size_t)(offset_end - offset));
    }
    frame->library =
        is_apple_image(image, (size_t)(last - image)) || (named && is_library_symbol(symbol, stop));
    frame->complete = true;
    return hold->length > 0;
}
