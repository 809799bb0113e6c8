/* See app.h. */
#include "figures/android/app.h"
#include "mining/crash/crash.h"
#include <string.h>

const char *java_app_frame(const struct java_stack *stack, const char *prefix)
{
    for (size_t cause = stack->causes + 1; cause-- > 0;)
        for (size_t i = 0; prefix && i < stack->frames.count; i++)
            if (stack->frames.at[i].cause == cause &&
                !strncmp(stack->frames.at[i].name, prefix, strlen(prefix)))
                return stack->frames.at[i].name;
    return NULL;
}

/* The first two parts of a dotted name with their dots; NULL: it has fewer. */
static const char *two_parts(const struct java_stack *stack, const char *name)
{
    const char *first = strchr(name, '.'), *second = first ? strchr(first + 1, '.') : NULL;
    if (!first)
        return NULL;
    if (!second)
        return tac_arena_format(stack->arena, "%s.", name);
    return tac_arena_strndup(stack->arena, name, (size_t)(second - name) + 1);
}

static bool is_foreign(const char *name)
{
    return is_library_name(name) || !strncmp(name, "com.android.", 12) || !strchr(name, '.');
}

const char *java_own_frame(const struct java_stack *stack)
{
    for (size_t cause = stack->causes + 1; cause-- > 0;)
        for (size_t i = 0; i < stack->frames.count; i++)
            if (stack->frames.at[i].cause == cause && !is_foreign(stack->frames.at[i].name))
                return stack->frames.at[i].name;
    return NULL;
}

const char *java_app_prefix(const struct java_stack *stack)
{
    if (stack->process || stack->package)
        return two_parts(stack, stack->process ? stack->process : stack->package);
    const char *own = java_own_frame(stack);
    return own ? two_parts(stack, own) : NULL;
}
