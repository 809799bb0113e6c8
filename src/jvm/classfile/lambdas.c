/* Lambda bodies: what invokedynamic makes of a method of this class through LambdaMetafactory.
 *
 * The class that the virtual machine spins for a lambda is hidden: no agent sees its file. Its
 * method calls the body, a method of the class that has the lambda, so the body gets the probe. */
#include "jvm/classfile/code.h"

bool is_metafactory(const struct class_file *file, uint32_t handle, const char *method)
{
    const uint8_t *entry = class_constant(file, handle, CONSTANT_METHOD_HANDLE);
    struct class_text owner, name, descriptor;
    return entry && class_member(file, get_u2(entry + 2), &owner, &name, &descriptor) &&
           text_is(owner, "java/lang/invoke/LambdaMetafactory") &&
           (method ? text_is(name, method)
                   : text_is(name, "metafactory") || text_is(name, "altMetafactory"));
}

const uint8_t **bootstrap_entries(const struct class_file *file, uint32_t *count)
{
    struct class_cursor c = {file->bootstrap, file->bootstrap + file->bootstrap_size, false};
    *count = take_u2(&c);
    const uint8_t **entries = calloc(*count + 1, sizeof *entries);
    for (uint32_t i = 0; entries && i < *count; i++) {
        entries[i] = c.at;
        take_u2(&c);
        take_bytes(&c, 2 * (size_t)take_u2(&c));
    }
    if (c.bad)
        *count = 0;
    return entries;
}

static bool read_body(const struct class_file *file, const uint8_t *entry, uint32_t name_and_type,
                      struct lambda_body *out)
{
    struct class_text dynamic, owner;
    if (!is_metafactory(file, get_u2(entry), NULL) || get_u2(entry + 2) < 3)
        return false;
    const uint8_t *type = class_constant(file, get_u2(entry + 4), CONSTANT_METHOD_TYPE);
    const uint8_t *handle = class_constant(file, get_u2(entry + 6), CONSTANT_METHOD_HANDLE);
    if (!type || !handle || !class_utf8(file, get_u2(type + 1), &out->method_descriptor) ||
        !class_member(file, get_u2(handle + 2), &owner, &out->name, &out->descriptor) ||
        !texts_equal(owner, file->name) ||
        !class_name_and_type(file, name_and_type, &out->method_name, &dynamic))
        return false;
    const char *end = dynamic.at + dynamic.length;
    const char *close = memchr(dynamic.at, ')', dynamic.length);
    if (!close || end - close < 4 || close[1] != 'L' || end[-1] != ';')
        return false;
    out->interface_name = (struct class_text){close + 2, (uint32_t)(end - close - 3)};
    return true;
}

bool lambda_bodies_read(const struct class_file *file, struct lambda_list *out)
{
    *out = (struct lambda_list){0};
    if (!file->bootstrap || file->bootstrap_size < 2)
        return true;
    uint32_t entry_count, uses = 0;
    const uint8_t **entries = bootstrap_entries(file, &entry_count);
    if (!entries)
        return false;
    for (uint32_t i = 1; i < file->constant_count; i++)
        uses += class_constant(file, i, CONSTANT_INVOKE_DYNAMIC) != NULL;
    out->at = calloc(uses + 1, sizeof *out->at);
    for (uint32_t i = 1; out->at && i < file->constant_count; i++) {
        const uint8_t *use = class_constant(file, i, CONSTANT_INVOKE_DYNAMIC);
        if (use && get_u2(use + 1) < entry_count &&
            read_body(file, entries[get_u2(use + 1)], get_u2(use + 3), &out->at[out->count]))
            out->count++;
    }
    free(entries);
    return out->at != NULL;
}
