/* From raw messages to a recording.
 *
 * Messages arrive in any order; they are sorted by id (stable), the UI thread is kept, entries are
 * matched with exits by a stack, and each message gets its letter. An exception ends whatever call
 * is open: the instrumentation records exceptions under either kind.
 *
 * Invariant after finish: every call of recording.messages is complete, and messages[first..end-1]
 * of an event are balanced. O(n) after sorting; memory O(n). */
#include "base/data/str.h"
#include "protocol/recording/recording.h"
#include <stdio.h>
#include <string.h>

#define MAX_MESSAGES ((size_t)1 << 28)

struct method_info {
    uint32_t signature, return_type; /* names */
    uint32_t first_type, type_count; /* in builder.types */
    bool is_void;
};

struct record {
    uint64_t id;
    size_t place;
    enum raw_type type;
    uint32_t call;      /* entries */
    uint32_t method;    /* exits: signature as recorded, or TAC_NONE */
    uint32_t exception; /* exceptions */
    bool has_result;
    struct raw_value_ids {
        bool is_null;
        uint32_t type, framework_type, object_id, value;
    } result;
};

struct recording_builder {
    struct recording *recording;
    bool lines; /* places are lines of text, not message numbers */
    tac_names method_keys;
    TAC_VEC(struct method_info) methods;
    TAC_VEC(uint32_t) types;
    TAC_VEC(struct record) records;
    tac_str scratch;
};

struct recording_builder *recording_builder_new(const char *name, bool lines)
{
    struct recording_builder *b = tac_calloc(1, sizeof *b);
    b->recording = tac_calloc(1, sizeof *b->recording);
    b->recording->name = tac_strdup(name);
    b->lines = lines;
    /* IDENTITY_NULL: the NUL inside keeps it apart from a string value "NULL". */
    tac_names_intern_bytes(&b->recording->names, "NULL\0", 5);
    return b;
}

void recording_builder_free(struct recording_builder *b)
{
    if (!b)
        return;
    recording_free(b->recording);
    tac_names_free(&b->method_keys);
    tac_vec_free(&b->methods);
    tac_vec_free(&b->types);
    tac_vec_free(&b->records);
    tac_str_free(&b->scratch);
    free(b);
}

static tac_status fail_place(const struct recording_builder *b, size_t place, tac_error *err,
                             const char *text)
{
    if (b->lines)
        return tac_fail_at(err, TAC_E_INPUT, b->recording->name, place, 0, "%s", text);
    return tac_fail_at(err, TAC_E_INPUT, b->recording->name, 0, 0, "message %zu: %s", place, text);
}

/* Splits "ret name(type, type)" and builds "ret pkg.Cls.name(type,type)". */
static struct method_info parse_method(struct recording_builder *b, const char *class_name,
                                       const char *method)
{
    struct recording *r = b->recording;
    struct method_info info = {.first_type = (uint32_t)b->types.count, .return_type = TAC_NONE};
    const char *open = strchr(method, '(');
    const char *space = strchr(method, ' ');
    tac_str *s = &b->scratch;
    tac_str_clear(s);
    const char *name = method;
    if (space && (!open || space < open)) {
        tac_str_add_bytes(s, method, (size_t)(space - method) + 1);
        info.return_type = tac_names_intern_bytes(&r->names, method, (size_t)(space - method));
        info.is_void = space - method == 4 && !memcmp(method, "void", 4);
        name = space + 1;
    }
    if (class_name && *class_name) {
        tac_str_add(s, class_name);
        tac_str_add_char(s, '.');
    }
    for (const char *p = name; *p; p++)
        if (*p != ' ')
            tac_str_add_char(s, *p);
    info.signature = tac_names_intern_bytes(&r->names, tac_str_text(s), s->length);
    for (const char *p = open ? open + 1 : ""; *p && *p != ')';) {
        size_t n = strcspn(p, ",)");
        size_t lead = strspn(p, " ");
        size_t end = n;
        while (end > lead && p[end - 1] == ' ')
            end--;
        if (end > lead) {
            tac_vec_push(&b->types, tac_names_intern_bytes(&r->names, p + lead, end - lead));
            info.type_count++;
        }
        p += n + (p[n] == ',');
    }
    return info;
}

static const struct method_info *method_of(struct recording_builder *b, const char *class_name,
                                           const char *method)
{
    tac_str *s = &b->scratch;
    tac_str_clear(s);
    tac_str_add(s, class_name ? class_name : "");
    tac_str_add_char(s, ' ');
    tac_str_add(s, method);
    uint32_t key = tac_names_intern_bytes(&b->method_keys, tac_str_text(s), s->length);
    if (key == b->methods.count) {
        struct method_info info = parse_method(b, class_name, method);
        tac_vec_push(&b->methods, info);
    }
    return &b->methods.at[key];
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

static void add_overrides(struct recording_builder *b, struct call *call,
                          const struct raw_message *raw)
{
    struct recording *r = b->recording;
    call->first_override = (uint32_t)r->overrides.count;
    bool class_seen = false;
    if (raw->first_super && *raw->first_super && strstr(raw->method, "<init>"))
        tac_vec_push(&r->overrides, method_of(b, raw->first_super, raw->method)->signature);
    for (size_t i = 0; i < raw->override_count; i++) {
        const struct raw_override *o = &raw->overrides[i];
        if (!o->method || (!o->is_interface && class_seen))
            continue;
        class_seen = class_seen || !o->is_interface;
        tac_vec_push(&r->overrides, method_of(b, o->class_name, o->method)->signature);
    }
    call->override_count = (uint32_t)r->overrides.count - call->first_override;
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
    struct method_info info = *method_of(b, raw->class_name, raw->method);
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
    if (call.kind == CALLBACK)
        add_overrides(b, &call, raw);
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
        record->method = method_of(b, raw->class_name, raw->method)->signature;
    record->has_result = raw->result != NULL;
    if (raw->result)
        record->result = value_ids(r, raw->result);
}

tac_status recording_builder_add(struct recording_builder *b, const struct raw_message *raw,
                                 tac_error *err)
{
    if (raw->type == RAW_APP || !raw->ui_thread)
        return TAC_OK;
    if (b->records.count >= MAX_MESSAGES)
        return tac_fail_at(err, TAC_E_LIMIT, b->recording->name, 0, 0,
                           "more than %zu messages in one recording: split it", MAX_MESSAGES);
    struct record record = {.id = raw->id,
                            .place = raw->place,
                            .type = raw->type,
                            .call = TAC_NONE,
                            .method = TAC_NONE,
                            .exception = TAC_NONE};
    if (raw->type == RAW_CALLIN_ENTRY || raw->type == RAW_CALLBACK_ENTRY) {
        if (!raw->method)
            return fail_place(b, raw->place, err, "an entry without a method name");
        add_entry(b, raw, &record);
    } else {
        add_exit(b, raw, &record);
    }
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

/* The letter of one message; new letters get the next number. */
static uint32_t letter_of(struct recording *r, tac_str *key, uint32_t index, bool is_exit)
{
    const struct call *c = &r->calls.at[index];
    enum direction direction = direction_of(c->kind, is_exit);
    uint32_t head[3] = {direction, c->signature,
                        !is_exit        ? TAC_NONE
                        : c->has_result ? c->result.identity
                                        : TAC_NONE - 1};
    tac_str_clear(key);
    tac_str_add_bytes(key, (const char *)head, sizeof head);
    for (uint32_t i = 0; i < c->value_count; i++)
        tac_str_add_bytes(key, (const char *)&r->values.at[c->first_value + i].identity,
                          sizeof(uint32_t));
    uint32_t letter = tac_names_intern_bytes(&r->letter_names, tac_str_text(key), key->length);
    if (letter == r->letters.count)
        tac_vec_push(&r->letters, (struct letter){.direction = direction, .call = index});
    return letter;
}

static void set_result(struct recording_builder *b, struct call *call, const struct record *record)
{
    struct recording *r = b->recording;
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

static tac_status check_exit(const struct recording_builder *b, const struct record *record,
                             const struct call *call, tac_error *err)
{
    const struct recording *r = b->recording;
    enum call_kind kind = record->type == RAW_CALLIN_EXIT ? CALLIN : CALLBACK;
    bool other_method =
        kind == CALLIN && record->method != TAC_NONE && record->method != call->signature;
    if (call->kind == kind && !other_method)
        return TAC_OK;
    char text[640];
    snprintf(text, sizeof text, "exit of the %s %.200s, but the open call is the %s %.200s",
             kind == CALLIN ? "call-in" : "callback",
             record->method != TAC_NONE ? r->names.text[record->method] : "(unnamed)",
             call->kind == CALLIN ? "call-in" : "callback", r->names.text[call->signature]);
    return fail_place(b, record->place, err, text);
}

/* Matches entries with exits. On return r->messages holds every message up to the last complete
 * top-level callback. */
static tac_status match_records(struct recording_builder *b, tac_error *err)
{
    struct recording *r = b->recording;
    TAC_VEC(uint32_t) stack = {0};
    tac_status status = TAC_OK;
    uint32_t first = 0;
    for (size_t i = 0; i < b->records.count && status == TAC_OK; i++) {
        const struct record *record = &b->records.at[i];
        if (record->call != TAC_NONE) {
            struct call *call = &r->calls.at[record->call];
            if (!stack.count && call->kind == CALLIN) {
                status = fail_place(b, record->place, err,
                                    "a call-in outside any callback: the recording must start "
                                    "with a callback of the framework");
                break;
            }
            call->parent = stack.count ? tac_vec_last(&stack) : TAC_NONE;
            tac_vec_push(&stack, record->call);
            tac_vec_push(&r->messages, (struct message){.call = record->call});
            continue;
        }
        if (!stack.count) {
            status = fail_place(b, record->place, err,
                                "an exit without an entry: the recording starts in the middle of a "
                                "callback, or messages are missing");
            break;
        }
        struct call *call = &r->calls.at[tac_vec_last(&stack)];
        if (record->exception == TAC_NONE) {
            status = check_exit(b, record, call, err);
            if (status == TAC_OK)
                set_result(b, call, record);
        } else {
            call->raised = true;
            call->exception = record->exception;
        }
        call->exit_id = record->id;
        call->complete = true;
        tac_vec_push(&r->messages, (struct message){.call = tac_vec_pop(&stack), .is_exit = true});
        if (!stack.count) {
            tac_vec_push(&r->events, (struct top_level){.first = first,
                                                        .end = (uint32_t)r->messages.count,
                                                        .raised = call->raised});
            r->raised_events += call->raised;
            first = (uint32_t)r->messages.count;
        }
    }
    r->dropped = r->messages.count - first;
    if (r->dropped)
        tac_vec_append(&r->tail, &r->messages.at[first], r->dropped);
    r->messages.count = first;
    tac_vec_free(&stack);
    return status;
}

tac_status recording_builder_finish(struct recording_builder *b, bool truncated,
                                    struct recording **out, tac_error *err)
{
    struct recording *r = b->recording;
    r->ui_messages = b->records.count;
    r->truncated = truncated;
    sort_records(b);
    tac_status status = match_records(b, err);
    if (status == TAC_OK && !r->events.count)
        status = tac_fail_at(err, TAC_E_INPUT, r->name, 0, 0,
                             "no complete callback of the UI thread in this recording (%zu "
                             "messages read): is it a lifestate recording?",
                             r->ui_messages);
    if (status == TAC_OK) {
        for (size_t i = 0; i < r->messages.count; i++) {
            struct message *m = &r->messages.at[i];
            m->letter = letter_of(r, &b->scratch, m->call, m->is_exit);
        }
        for (size_t i = 0; i < r->tail.count; i++)
            r->tail.at[i].letter =
                letter_of(r, &b->scratch, r->tail.at[i].call, r->tail.at[i].is_exit);
        *out = r;
        b->recording = NULL;
    }
    recording_builder_free(b);
    return status;
}
