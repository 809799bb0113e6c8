/* From raw messages to a recording.
 *
 * Messages arrive in any order; they are sorted by id (stable), entries are matched with exits by a
 * stack per thread (match.c), and each message gets its letter.
 *
 * Invariant after finish: on the event thread every call of recording.messages is complete, and its
 * messages of an event are balanced. O(n) after sorting; memory O(n). */
#include "protocol/recording/builder.h"
#include "base/check.h"
#include <string.h>

struct recording_builder *recording_builder_new(const char *name, bool lines)
{
    struct recording_builder *b = tac_calloc(1, sizeof *b);
    b->recording = tac_calloc(1, sizeof *b->recording);
    b->recording->name = tac_strdup(name);
    b->lines = lines;
    b->digest = tac_digest_new();
    /* IDENTITY_NULL: the NUL inside keeps it apart from a string value "NULL". */
    tac_names_intern_bytes(&b->recording->names, "NULL\0", 5);
    return b;
}

void recording_builder_free(struct recording_builder *b)
{
    if (!b)
        return;
    if (b->digest)
        tac_digest_end(b->digest, b->recording->hash);
    recording_free(b->recording);
    tac_names_free(&b->method_keys);
    tac_vec_free(&b->methods);
    tac_vec_free(&b->types);
    tac_vec_free(&b->records);
    tac_u64map_free(&b->threads);
    tac_names_free(&b->warned);
    tac_str_free(&b->scratch);
    free(b);
}

tac_status builder_fail_place(const struct recording_builder *b, size_t place, tac_error *err,
                              const char *text)
{
    if (b->lines)
        return tac_fail_at(err, TAC_E_INPUT, b->recording->name, place, 0, "%s", text);
    return tac_fail_at(err, TAC_E_INPUT, b->recording->name, 0, 0, "message %zu: %s", place, text);
}

void recording_builder_warn(struct recording_builder *b, size_t line, const char *format, ...)
{
    va_list args;
    tac_str text = {0};
    va_start(args, format);
    tac_str_addv(&text, format, args);
    va_end(args);
    if (tac_names_add(&b->warned, tac_str_text(&text), text.length))
        tac_diagnostics_add(&b->recording->warnings, TAC_WARNING, b->recording->name, line, 0, "%s",
                            tac_str_text(&text));
    tac_str_free(&text);
}

static uint32_t name_or_none(struct recording *r, const char *text)
{
    return text ? tac_names_intern(&r->names, text) : TAC_NONE;
}

static struct raw_value_ids value_ids(struct recording *r, const struct raw_value *raw)
{
    return (struct raw_value_ids){
        .is_null = raw->is_null || (!raw->value && !raw->object_id),
        .type = name_or_none(r, raw->type),
        .framework_type = name_or_none(r, raw->framework_type),
        .object_id = name_or_none(r, raw->object_id),
        .value = name_or_none(r, raw->value),
    };
}

static bool is_one_of(const char *text, const char *const *list)
{
    for (; *list; list++)
        if (!strcmp(text, *list))
            return true;
    return false;
}

/* A declared primitive, boxed or string type replaces the recorded one, and a boolean's 0 and 1
 * become false and true, so that the same value recorded in two places is the same value. */
static struct value intern_value(struct recording *r, struct raw_value_ids v, uint32_t declared)
{
    assert(declared == TAC_NONE || declared < r->names.count);
    static const char *const booleans[] = {"boolean", "java.lang.Boolean", NULL};
    static const char *const plain[] = {
        "int", "java.lang.Integer", "float", "java.lang.Float", "java.lang.String", NULL};
    if (declared != TAC_NONE) {
        const char *type = r->names.text[declared];
        bool boolean = is_one_of(type, booleans);
        if (v.is_null || ((boolean || is_one_of(type, plain)) && v.value != TAC_NONE))
            v.type = declared;
        if (boolean && !v.is_null && v.value != TAC_NONE) {
            const char *text = r->names.text[v.value];
            if (!strcmp(text, "0") || !strcmp(text, "1"))
                v.value = tac_names_intern(&r->names, *text == '0' ? "false" : "true");
        }
    }
    uint32_t key[6] = {UINT32_MAX - 1, v.is_null, v.type, v.framework_type, v.object_id, v.value};
    struct value out = {.whole = tac_names_intern_bytes(&r->names, key, sizeof key)};
    if (v.is_null)
        out.identity = IDENTITY_NULL;
    else
        out.identity = v.value != TAC_NONE ? v.value : v.object_id;
    return out;
}

static uint32_t caller_line(struct recording_builder *b, const struct raw_message *raw)
{
    if (!raw->caller_class || !*raw->caller_class)
        return TAC_NONE;
    tac_str *s = &b->scratch;
    tac_str_clear(s);
    tac_str_add(s, raw->caller_class);
    if (raw->caller_line && *raw->caller_line)
        tac_str_addf(s, ":%s", raw->caller_line);
    return tac_names_intern_bytes(&b->recording->names, tac_str_text(s), s->length);
}

static void add_entry(struct recording_builder *b, const struct raw_message *raw,
                      struct record *record)
{
    struct recording *r = b->recording;
    struct method_info info = *builder_method(b, raw->class_name, raw->method);
    struct call call = {
        .kind = raw->type == RAW_CALLIN_ENTRY ? CALLIN : CALLBACK,
        .signature = info.signature,
        .first_value = (uint32_t)r->values.count,
        .value_count = (uint32_t)raw->param_count,
        .parent = TAC_NONE,
        .caller_line = caller_line(b, raw),
        .exception = TAC_NONE,
        .label = name_or_none(r, raw->label),
        .entry_id = raw->id,
    };
    bool typed = info.type_count + 1 == raw->param_count;
    for (size_t i = 0; i < raw->param_count; i++) {
        uint32_t declared = typed && i > 0 ? b->types.at[info.first_type + i - 1] : TAC_NONE;
        tac_vec_push(&r->values, intern_value(r, value_ids(r, &raw->params[i]), declared));
    }
    if (call.kind == CALLBACK || raw->override_count)
        builder_add_overrides(b, &call, raw);
    record->call = (uint32_t)r->calls.count;
    tac_vec_push(&r->calls, call);
}

static void add_exit(struct recording_builder *b, const struct raw_message *raw,
                     struct record *record)
{
    struct recording *r = b->recording;
    if (raw->type == RAW_CALLIN_EXCEPTION || raw->type == RAW_CALLBACK_EXCEPTION) {
        tac_str_clear(&b->scratch);
        tac_str_addf(&b->scratch, "%s%s%s", raw->exception_type ? raw->exception_type : "exception",
                     raw->exception_text ? ": " : "",
                     raw->exception_text ? raw->exception_text : "");
        record->exception =
            tac_names_intern_bytes(&r->names, tac_str_text(&b->scratch), b->scratch.length);
        return;
    }
    if (raw->method)
        record->method = builder_method(b, raw->class_name, raw->method)->signature;
    record->has_result = raw->result != NULL;
    if (raw->result)
        record->result = value_ids(r, raw->result);
}

static uint32_t thread_of(struct recording_builder *b, const struct raw_message *raw)
{
    if (raw->ui_thread)
        return EVENT_THREAD;
    return (uint32_t)*tac_u64map_at(&b->threads, raw->thread, b->threads.count + 1, NULL);
}

/* A line of ours names the types: as many values must follow, and the receiver before them. The
 * instrumentation's own files are taken as they are. */
static tac_status check_values(struct recording_builder *b, const struct raw_message *raw,
                               tac_error *err)
{
    uint32_t types = builder_method(b, raw->class_name, raw->method)->type_count;
    if (!b->lines || raw->param_count == types + 1)
        return TAC_OK;
    return tac_fail_at(err, TAC_E_INPUT, b->recording->name, raw->place, 0,
                       "'%.200s' takes %u parameter%s, so \"params\" must have %u value%s, the "
                       "receiver first (null for a static method); found %zu",
                       raw->method, types, types == 1 ? "" : "s", types + 1, types ? "s" : "",
                       raw->param_count);
}

tac_status recording_builder_add(struct recording_builder *b, const struct raw_message *raw,
                                 tac_error *err)
{
    if (raw->type == RAW_APP)
        return TAC_OK;
    if (b->records.count >= MAX_MESSAGES)
        return tac_fail_at(err, TAC_E_LIMIT, b->recording->name, 0, 0,
                           "more than %zu messages in one recording: split it", MAX_MESSAGES);
    struct record record = {.id = raw->id,
                            .place = raw->place,
                            .type = raw->type,
                            .thread = thread_of(b, raw),
                            .call = TAC_NONE,
                            .method = TAC_NONE,
                            .exception = TAC_NONE};
    if (raw->type == RAW_CALLIN_ENTRY || raw->type == RAW_CALLBACK_ENTRY) {
        if (!raw->method)
            return builder_fail_place(b, raw->place, err, "an entry without a method name");
        tac_status status = check_values(b, raw, err);
        if (status != TAC_OK)
            return status;
        add_entry(b, raw, &record);
    } else {
        add_exit(b, raw, &record);
    }
    b->event_messages += record.thread == EVENT_THREAD;
    tac_vec_push(&b->records, record);
    return TAC_OK;
}

static int compare_records(const void *left, const void *right)
{
    const struct record *a = left, *b = right;
    if (a->id != b->id)
        return a->id < b->id ? -1 : 1;
    return a->place < b->place ? -1 : a->place > b->place;
}

static void sort_records(struct recording_builder *b)
{
    for (size_t i = 1; i < b->records.count; i++)
        if (b->records.at[i - 1].id > b->records.at[i].id) {
            qsort(b->records.at, b->records.count, sizeof *b->records.at, compare_records);
            return;
        }
}

void builder_set_result(struct recording *r, struct call *call, const struct record *record)
{
    assert(call->signature < r->names.count && record->exception == TAC_NONE);
    /* The return type is the first word of the signature, if it has two. */
    const char *signature = r->names.text[call->signature];
    const char *space = strchr(signature, ' ');
    uint32_t type = TAC_NONE;
    if (space)
        type = tac_names_intern_bytes(&r->names, signature, (size_t)(space - signature));
    bool is_void = space && space - signature == 4 && !memcmp(signature, "void", 4);
    if (record->has_result) {
        call->has_result = true;
        call->result = intern_value(r, record->result, type);
    } else if (call->kind == CALLBACK && !is_void && type != TAC_NONE) {
        call->has_result = true;
        call->result = intern_value(
            r, (struct raw_value_ids){true, TAC_NONE, TAC_NONE, TAC_NONE, TAC_NONE}, type);
    }
}

void recording_builder_digest(struct recording_builder *b, const char *bytes, size_t size)
{
    tac_digest_add(b->digest, bytes, size);
}

static void number_letters(struct recording *r, tac_str *key)
{
    for (size_t i = 0; i < r->messages.count; i++) {
        struct message *m = &r->messages.at[i];
        m->letter = recording_letter(r, key, m->call, m->is_exit);
    }
    for (size_t i = 0; i < r->tail.count; i++)
        r->tail.at[i].letter = recording_letter(r, key, r->tail.at[i].call, r->tail.at[i].is_exit);
}

static tac_status finish_one(struct recording_builder *b, struct recording *r, bool all_threads,
                             tac_error *err)
{
    assert(!r->messages.count && !r->letters.count);
    tac_status status = builder_match(b, r, all_threads, err);
    if (status == TAC_OK && !r->events.count)
        status = tac_fail_at(err, TAC_E_INPUT, r->name, 0, 0,
                             "no complete callback of the UI thread in this recording (%zu "
                             "messages read): is it a lifestate recording?",
                             r->ui_messages);
    if (status == TAC_OK)
        number_letters(r, &b->scratch);
    return status;
}

tac_status recording_builder_finish(struct recording_builder *b, bool truncated,
                                    struct recording **out, struct recording **all, tac_error *err)
{
    struct recording *r = b->recording, *whole = NULL;
    r->ui_messages = b->event_messages;
    r->truncated = truncated;
    tac_digest_end(b->digest, r->hash);
    b->digest = NULL;
    sort_records(b);
    if (b->records.count > b->event_messages || b->more_overrides) {
        whole = recording_copy(r);
        for (size_t i = 0; i < whole->calls.count; i++)
            whole->calls.at[i].override_count += whole->calls.at[i].more_overrides;
    }
    tac_status status = finish_one(b, r, false, err);
    if (status == TAC_OK && whole)
        status = finish_one(b, whole, true, err);
    if (status == TAC_OK) {
        assert(r->others.messages == 0 && (!whole || whole->events.count >= r->events.count));
        *out = r;
        *all = whole;
        b->recording = NULL;
    } else {
        recording_free(whole);
    }
    recording_builder_free(b);
    return status;
}
