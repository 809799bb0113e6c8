/* What the adb server answers: "OKAY" or "FAIL", then, after FAIL and after the OKAY of a request
 * for a text, four hexadecimal digits and so many bytes. A text therefore has at most 65,535 bytes.
 * The reader asks for exactly the bytes of the next part, because a device's own stream may follow.
 */
#include "base/check.h"
#include "device/android/wire/wire.h"
#include <stdio.h>
#include <string.h>

enum { STATUS, LENGTH, BODY, DONE };

size_t adb_answer_wants(const struct adb_answer *answer)
{
    if (answer->part == DONE)
        return 0;
    return answer->part == BODY ? answer->left : sizeof answer->head - answer->have;
}

static bool read_hex(const char *digits, size_t *out)
{
    size_t value = 0;
    for (int i = 0; i < 4; i++) {
        static const char known[] = "0123456789abcdefABCDEF";
        const char *place = memchr(known, digits[i], sizeof known - 1);
        if (!place)
            return false;
        size_t digit = (size_t)(place - known);
        value = value * 16 + (digit < 16 ? digit : digit - 6);
    }
    *out = value;
    return true;
}

/* The four bytes of a head are complete. */
static tac_status take_head(struct adb_answer *answer, const char *step, tac_error *err)
{
    answer->have = 0;
    if (answer->part == STATUS) {
        answer->failed = !memcmp(answer->head, "FAIL", 4);
        if (!answer->failed && memcmp(answer->head, "OKAY", 4) != 0)
            return tac_fail(err, TAC_E_DEVICE,
                            "%s: what answers is not an adb server (neither OKAY nor FAIL)", step);
        answer->part = answer->failed || answer->text ? LENGTH : DONE;
        return TAC_OK;
    }
    if (!read_hex(answer->head, &answer->left))
        return tac_fail(err, TAC_E_DEVICE,
                        "%s: the adb server's answer has no length (four hexadecimal digits)",
                        step);
    assert(answer->left <= 0xffff);
    answer->part = answer->left ? BODY : DONE;
    return TAC_OK;
}

tac_status adb_answer_feed(struct adb_answer *answer, const char *step, const char *bytes,
                           size_t size, tac_error *err)
{
    while (size && answer->part != DONE) {
        size_t n = adb_answer_wants(answer);
        n = n < size ? n : size;
        if (answer->part == BODY) {
            tac_str_add_bytes(&answer->body, bytes, n);
            answer->left -= n;
            if (!answer->left)
                answer->part = DONE;
        } else {
            memcpy(answer->head + answer->have, bytes, n);
            answer->have += n;
            tac_status st =
                answer->have == sizeof answer->head ? take_head(answer, step, err) : TAC_OK;
            if (st)
                return st;
        }
        bytes += n;
        size -= n;
    }
    return TAC_OK;
}

/* --- the list of devices --- */

static bool is_property(const char *word, size_t length)
{
    static const char *const names[] = {
        "usb:", "product:", "model:", "device:", "transport_id:", "features:"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t n = strlen(names[i]);
        if (length >= n && !memcmp(word, names[i], n))
            return true;
    }
    return false;
}

static void put(char *out, size_t room, const char *from, size_t length)
{
    snprintf(out, room, "%.*s", (int)(length < room ? length : room - 1), from);
}

/* One line; false when it names no device. The state ends at the first property, because it may
 * hold blanks ("no permissions; see [...]"). */
static bool read_entry(const char *line, const char *end, struct adb_entry *out)
{
    while (end > line && (end[-1] == '\r' || end[-1] == ' ' || end[-1] == '\t'))
        end--;
    const char *at = line;
    while (at < end && *at != ' ' && *at != '\t')
        at++;
    size_t serial = (size_t)(at - line);
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    if (!serial || serial >= sizeof out->serial || at == end || memchr(line, '\0', serial))
        return false;
    *out = (struct adb_entry){0};
    put(out->serial, sizeof out->serial, line, serial);
    const char *state = at, *state_end = at;
    bool properties = false;
    while (at < end) {
        const char *word = at;
        while (at < end && *at != ' ')
            at++;
        size_t length = (size_t)(at - word);
        properties = properties || is_property(word, length);
        if (!properties)
            state_end = at;
        else if (length > 6 && !memcmp(word, "model:", 6))
            put(out->model, sizeof out->model, word + 6, length - 6);
        while (at < end && *at == ' ')
            at++;
    }
    put(out->state, sizeof out->state, state, (size_t)(state_end - state));
    return *out->state != '\0';
}

size_t adb_read_devices(const char *text, size_t size, struct adb_entry *out, size_t most)
{
    size_t count = 0;
    const char *end = text + size;
    while (text < end && count < most) {
        const char *stop = memchr(text, '\n', (size_t)(end - text));
        stop = stop ? stop : end;
        count += read_entry(text, stop, &out[count]);
        text = stop < end ? stop + 1 : end;
    }
    return count;
}
