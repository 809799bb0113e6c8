/* Opening and releasing recordings, and the names of their messages for people.
 *
 * The format is told by the first byte: a JSON Lines file starts with '{', white space or a
 * comment; a protobuf file starts with the length of its first message, whose container tag 0x0A
 * follows. */
#include "protocol/recording/recording.h"
#include "base/check.h"
#include "base/data/text.h"
#include <ctype.h>
#include <string.h>

#define JSONL_MAX_SIZE ((size_t)1 << 32)

void recording_free(struct recording *r)
{
    if (!r)
        return;
    free(r->name);
    tac_names_free(&r->names);
    tac_names_free(&r->letter_names);
    tac_vec_free(&r->calls);
    tac_vec_free(&r->values);
    tac_vec_free(&r->overrides);
    tac_vec_free(&r->messages);
    tac_vec_free(&r->order);
    tac_diagnostics_free(&r->warnings);
    tac_vec_free(&r->tail);
    tac_vec_free(&r->events);
    tac_vec_free(&r->letters);
    free(r);
}

/* A JSON object may be preceded by blanks; '{' (0x7B) is also a possible message length, but then
 * the container's tag 0x0A ("\n") follows, and no JSON object breaks the line right after '{' in a
 * file of one object per line. */
static bool looks_like_json(const char *head, size_t size)
{
    size_t i = tac_byte_order_mark(head, size);
    while (i < size && isspace((unsigned char)head[i]))
        i++;
    if (i == size || head[i] != '{')
        return false;
    return i + 1 >= size || head[i + 1] != '\n';
}

static tac_status read_rest(tac_input *input, tac_str *text, tac_error *err)
{
    char buffer[65536];
    text->cap = JSONL_MAX_SIZE;
    for (;;) {
        size_t got;
        tac_status status = tac_input_read(input, buffer, sizeof buffer, &got, err);
        if (status != TAC_OK || !got)
            return status;
        tac_str_add_bytes(text, buffer, got);
        if (text->overflow)
            return tac_fail_at(err, TAC_E_LIMIT, tac_input_name(input), 0, 0,
                               "a JSON Lines recording over 4 GiB: split it");
    }
}

static tac_status load_jsonl(tac_input *input, const char *head, size_t size,
                             struct recording **out, struct recording **all, tac_error *err)
{
    tac_str text = {0};
    tac_str_add_bytes(&text, head, size);
    tac_status status = read_rest(input, &text, err);
    if (status == TAC_OK)
        status =
            recording_parse(tac_input_name(input), tac_str_text(&text), text.length, out, all, err);
    tac_str_free(&text);
    return status;
}

static tac_status load_pb(tac_input *input, const char *head, size_t size, struct recording **out,
                          struct recording **all, tac_error *err)
{
    struct recording_builder *builder =
        recording_builder_new(input ? tac_input_name(input) : "<memory>", false);
    bool truncated = false;
    tac_status status = recording_read_pb(input, head, size, builder, &truncated, err);
    if (status != TAC_OK) {
        recording_builder_free(builder);
        return status;
    }
    return recording_builder_finish(builder, truncated, out, all, err);
}

tac_status recording_load(const char *path, struct recording **out, struct recording **all,
                          tac_error *err)
{
    tac_input *input = NULL;
    tac_status status = tac_input_open(path, &input, err);
    if (status != TAC_OK)
        return status;
    char head[4096];
    size_t size = 0, got = 1;
    while (status == TAC_OK && size < sizeof head && got) {
        status = tac_input_read(input, head + size, sizeof head - size, &got, err);
        if (status == TAC_OK)
            size += got;
    }
    if (status == TAC_OK && !size)
        status =
            tac_fail_at(err, TAC_E_INPUT, tac_input_name(input), 0, 0, "the recording is empty");
    if (status == TAC_OK)
        status = looks_like_json(head, size) ? load_jsonl(input, head, size, out, all, err)
                                             : load_pb(input, head, size, out, all, err);
    tac_input_close(input);
    return status;
}

tac_status recording_parse(const char *name, const char *data, size_t size, struct recording **out,
                           struct recording **all, tac_error *err)
{
    if (!looks_like_json(data, size))
        return load_pb(NULL, data, size, out, all, err);
    struct recording_builder *builder = recording_builder_new(name, true);
    size_t mark = tac_byte_order_mark(data, size);
    bool truncated = false;
    recording_builder_digest(builder, data, size);
    if (mark)
        recording_builder_warn(builder, 1, "the file starts with a byte order mark, skipped");
    tac_status status =
        recording_read_jsonl(name, data + mark, size - mark, builder, &truncated, err);
    if (status != TAC_OK) {
        recording_builder_free(builder);
        return status;
    }
    return recording_builder_finish(builder, truncated, out, all, err);
}

static void add_value(const struct recording *r, struct value value, tac_str *out)
{
    tac_str_add(out, r->names.text[value.identity]);
}

bool recording_split(const char *signature, struct method_parts *out)
{
    size_t length = strcspn(signature, "(");
    const char *space = memchr(signature, ' ', length);
    out->end = out->name = signature + length;
    out->class = space ? space + 1 : signature;
    while (out->name > out->class && out->name[-1] != '.')
        out->name--;
    out->name_length = (size_t)(out->end - out->name);
    out->class_length = out->name > out->class ? (size_t)(out->name - out->class) - 1 : 0;
    return out->name > out->class && *out->end == '(';
}

/* "(a1:MainActivity).onCreate(NULL)" */
static void call_words(const struct recording *r, const struct call *c, tac_str *out)
{
    assert(c->first_value + c->value_count <= r->values.count);
    struct method_parts m;
    recording_split(r->names.text[c->signature], &m);
    const char *class_name = m.class;
    for (const char *p = m.class; p + 1 < m.name; p++)
        if (*p == '.' && p + 1 < m.name - 1)
            class_name = p + 1;
    size_t class_length = m.class_length - (size_t)(class_name - m.class);
    if (c->value_count && r->values.at[c->first_value].identity != IDENTITY_NULL) {
        tac_str_add_char(out, '(');
        add_value(r, r->values.at[c->first_value], out);
        tac_str_addf(out, ":%.*s).", (int)class_length, class_name);
    } else {
        tac_str_addf(out, "%.*s.", (int)class_length, class_name);
    }
    tac_str_add_bytes(out, m.name, m.name_length);
    tac_str_add_char(out, '(');
    for (uint32_t i = 1; i < c->value_count; i++) {
        if (i > 1)
            tac_str_add(out, ", ");
        add_value(r, r->values.at[c->first_value + i], out);
    }
    tac_str_add_char(out, ')');
}

void recording_letter_words(const struct recording *r, uint32_t letter, tac_str *out)
{
    static const char *const heads[] = {[CB_ENTRY] = "the callback ",
                                        [CB_EXIT] = "the return of the callback ",
                                        [CI_ENTRY] = "the call ",
                                        [CI_EXIT] = "the return of the call "};
    TABLE_COVERS(heads, CI_EXIT);
    const struct letter *l = &r->letters.at[letter];
    tac_str_add(out, heads[l->direction]);
    assert(letter < r->letters.count);
    call_words(r, &r->calls.at[l->call], out);
}

void recording_event_name(const struct recording *r, uint32_t event, tac_str *out)
{
    const struct call *c = &r->calls.at[r->messages.at[r->events.at[event].first].call];
    assert(event < r->events.count);
    if (c->label != TAC_NONE)
        tac_str_add(out, r->names.text[c->label]);
    else
        call_words(r, c, out);
}

const char *direction_text(enum direction direction)
{
    static const char *const texts[] = {[CB_ENTRY] = "[CB] [ENTRY]",
                                        [CB_EXIT] = "[CB] [EXIT]",
                                        [CI_ENTRY] = "[CI] [ENTRY]",
                                        [CI_EXIT] = "[CI] [EXIT]"};
    TABLE_COVERS(texts, CI_EXIT);
    return texts[direction];
}

void recording_letter_text(const struct recording *r, uint32_t letter, tac_str *out)
{
    const struct letter *l = &r->letters.at[letter];
    const struct call *c = &r->calls.at[l->call];
    struct method_parts m;
    const char *signature = r->names.text[c->signature];
    assert(letter < r->letters.count);
    recording_split(signature, &m);
    bool is_exit = l->direction == CB_EXIT || l->direction == CI_EXIT;
    if (is_exit && c->has_result) {
        add_value(r, c->result, out);
        tac_str_add(out, " = ");
    }
    tac_str_add(out, direction_text(l->direction));
    if (c->value_count) {
        tac_str_add(out, " [");
        add_value(r, r->values.at[c->first_value], out);
        tac_str_add_char(out, ']');
    }
    tac_str_add_char(out, ' ');
    tac_str_add_bytes(out, signature, (size_t)(m.end - signature));
    tac_str_add_char(out, '(');
    const char *type = *m.end ? m.end + 1 : m.end;
    for (uint32_t i = 1; i < c->value_count; i++) {
        size_t n = strcspn(type, ",)");
        if (i > 1)
            tac_str_add(out, ", ");
        add_value(r, r->values.at[c->first_value + i], out);
        if (n)
            tac_str_addf(out, " : %.*s", (int)n, type);
        type += n + (type[n] == ',');
    }
    tac_str_add_char(out, ')');
}

void recording_letter_texts(const struct recording *r, tac_names *out)
{
    tac_str text = {0};
    for (uint32_t l = 0; l < r->letters.count; l++) {
        tac_str_clear(&text);
        recording_letter_text(r, l, &text);
        size_t before = out->count;
        for (unsigned n = 2; tac_names_intern_bytes(out, tac_str_text(&text), text.length) < before;
             n++) {
            tac_str_clear(&text);
            recording_letter_text(r, l, &text);
            tac_str_addf(&text, " #%u", n);
        }
    }
    assert(out->count == r->letters.count);
    tac_str_free(&text);
}
