/* The plan that the agent reads: what the rules name, as descriptors. */
#include "jvm/host/jvm.h"
#include <string.h>

/* "java.lang.Object[]" as "[Ljava/lang/Object;". */
static void add_descriptor(tac_str *out, const char *type, size_t length)
{
    static const char letters[] = "ZBCSIJFDV";
    static const char *const words[] = {"boolean", "byte",  "char",   "short", "int",
                                        "long",    "float", "double", "void"};
    while (length && *type == ' ') {
        type++;
        length--;
    }
    while (length && type[length - 1] == ' ')
        length--;
    while (length > 2 && !strncmp(type + length - 2, "[]", 2)) {
        tac_str_add_char(out, '[');
        length -= 2;
    }
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strlen(words[i]) == length && !memcmp(words[i], type, length)) {
            tac_str_add_char(out, letters[i]);
            return;
        }
    tac_str_add_char(out, 'L');
    for (size_t i = 0; i < length; i++)
        tac_str_add_char(out, type[i] == '.' ? '/' : type[i]);
    tac_str_add_char(out, ';');
}

static void add_method(tac_str *out, const char *kind, const struct jvm_method *m)
{
    tac_str_addf(out, "%s\t%s\t%s\t(", kind, m->class_name, m->name);
    for (const char *at = m->types; *at;) {
        size_t length = strcspn(at, ",");
        add_descriptor(out, at, length);
        at += length + (at[length] == ',');
    }
    tac_str_add(out, ")\n");
}

void jvm_plan_write(const struct jvm_order *order, const char *log, const char *socket,
                    tac_str *out)
{
    tac_str_addf(out, "log\t%s\n", log);
    if (socket)
        tac_str_addf(out, "socket\t%s\n", socket);
    if (order->hold)
        tac_str_add(out, "hold\n");
    if (order->border)
        tac_str_add(out, "border\n");
    if (order->breakpoints)
        tac_str_add(out, "breakpoints\n");
    if (order->everything)
        tac_str_add(out, "everything\n");
    for (size_t i = 0; i < order->pattern_count; i++)
        tac_str_addf(out, "timed\t%s\n", order->patterns[i]);
    for (size_t i = 0; i < order->callback_count; i++)
        add_method(out, "callback", &order->callbacks[i]);
    for (size_t i = 0; i < order->callin_count; i++)
        add_method(out, "callin", &order->callins[i]);
}
