/* Methods of a recording by their names: parsed once each, with what they override. */
#include "base/check.h"
#include "base/data/text.h"
#include "protocol/recording/builder.h"
#include <string.h>

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

const struct method_info *builder_method(struct recording_builder *b, const char *class_name,
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
    assert(key < b->methods.count && b->methods.count == b->method_keys.count);
    return &b->methods.at[key];
}

/* "[Ljava.lang.Object;" as rules write it, "java.lang.Object[]", in a method's parameters. */
static bool readable_arrays(const char *method, tac_str *out)
{
    static const char letters[] = "ZBCSIJFD";
    static const char *const words[] = {"boolean", "byte", "char",  "short",
                                        "int",     "long", "float", "double"};
    bool changed = false;
    tac_str_clear(out);
    while (*method) {
        size_t depth = strspn(method, "[");
        const char *letter = depth && method[depth] ? strchr(letters, method[depth]) : NULL;
        const char *end = depth && method[depth] == 'L' ? strchr(method, ';') : NULL;
        if (end) {
            tac_str_add_bytes(out, method + depth + 1, (size_t)(end - method) - depth - 1);
            method = end + 1;
        } else if (letter) {
            tac_str_add(out, words[letter - letters]);
            method += depth + 1;
        } else {
            tac_str_add_char(out, *method++);
            continue;
        }
        changed = true;
        for (; depth; depth--)
            tac_str_add(out, "[]");
    }
    return changed;
}

/* A click handler that a layout names (android:onClick): void m(View) of an activity, which
 * overrides nothing. Rules know it as Activity.onClickAttribute. */
static bool named_in_layout(const struct raw_message *raw)
{
    static const char types[] = "(android.view.View)";
    const char *open = strchr(raw->method, '(');
    bool own = raw->override_count == 0 ||
               (raw->override_count == 1 && raw->overrides[0].class_name == raw->class_name);
    const char *framework = raw->param_count ? raw->params[0].framework_type : NULL;
    return own && open && !strcmp(open, types) && !strncmp(raw->method, "void on", 7) &&
           raw->param_count == 2 && framework && tac_ends_with(framework, "Activity");
}

static void add_more_overrides(struct recording_builder *b, struct call *call,
                               const struct raw_message *raw)
{
    struct recording *r = b->recording;
    tac_str text = {0};
    assert(call->first_override + call->override_count == r->overrides.count);
    for (size_t i = 0; i < raw->override_count; i++)
        if (raw->overrides[i].method && strchr(raw->overrides[i].method, '[') &&
            readable_arrays(raw->overrides[i].method, &text)) {
            uint32_t name =
                builder_method(b, raw->overrides[i].class_name, tac_str_text(&text))->signature;
            tac_vec_push(&r->overrides, name);
            call->more_overrides++;
        }
    if (call->kind == CALLBACK && named_in_layout(raw)) {
        tac_vec_push(&r->overrides, builder_method(b, "android.app.Activity",
                                                   "void onClickAttribute(android.view.View)")
                                        ->signature);
        call->more_overrides++;
    }
    tac_str_free(&text);
}

void builder_add_overrides(struct recording_builder *b, struct call *call,
                           const struct raw_message *raw)
{
    struct recording *r = b->recording;
    call->first_override = (uint32_t)r->overrides.count;
    bool class_seen = false;
    if (raw->first_super && *raw->first_super && strstr(raw->method, "<init>"))
        tac_vec_push(&r->overrides, builder_method(b, raw->first_super, raw->method)->signature);
    for (size_t i = 0; i < raw->override_count; i++) {
        const struct raw_override *o = &raw->overrides[i];
        if (!o->method || (!o->is_interface && class_seen))
            continue;
        class_seen = class_seen || (!o->is_interface && call->kind == CALLBACK);
        uint32_t signature = builder_method(b, o->class_name, o->method)->signature;
        if (call->kind == CALLBACK || signature != call->signature)
            tac_vec_push(&r->overrides, signature);
    }
    call->override_count = (uint32_t)r->overrides.count - call->first_override;
    add_more_overrides(b, call, raw);
    b->more_overrides = b->more_overrides || call->more_overrides;
}
