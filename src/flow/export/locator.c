/* How an action names its element. Test tools find elements by id, text or description; models may
 * say XPath. The common XPaths of hierarchies, one step with equality predicates, are taken apart.
 */
#include "base/data/alloc.h"
#include "flow/export/exporter.h"
#include <ctype.h>
#include <string.h>

struct scan {
    const char *at;
    struct locator *out;
};

static bool take(struct scan *in, const char *text)
{
    size_t length = strlen(text);
    while (*in->at == ' ')
        in->at++;
    if (strncmp(in->at, text, length) != 0)
        return false;
    in->at += length;
    return true;
}

/* A quoted text; the caller's, NULL when there is none. */
static char *take_quoted(struct scan *in)
{
    while (*in->at == ' ')
        in->at++;
    char quote = *in->at;
    const char *end = quote == '\'' || quote == '"' ? strchr(in->at + 1, quote) : NULL;
    if (!end)
        return NULL;
    char *text = tac_strndup(in->at + 1, (size_t)(end - in->at - 1));
    in->at = end + 1;
    return text;
}

static bool set(char **to, char *value)
{
    if (!value)
        return false;
    if (*to)
        free(value);
    else
        *to = value;
    return true;
}

/* @attribute='value' */
static bool take_equality(struct scan *in)
{
    struct locator *out = in->out;
    char **to = take(in, "@resource-id")    ? &out->resource_id
                : take(in, "@text")         ? &out->text
                : take(in, "@content-desc") ? &out->description
                : take(in, "@class")        ? &out->class_name
                                            : NULL;
    return to && take(in, "=") && set(to, take_quoted(in));
}

/* [INDEX] or [equality and equality ...] */
static bool take_predicate(struct scan *in)
{
    if (!take(in, "["))
        return false;
    if (isdigit((unsigned char)*in->at)) {
        long index = 0;
        while (isdigit((unsigned char)*in->at) && index < 100000)
            index = 10 * index + (*in->at++ - '0');
        in->out->index = (int)index - 1;
        return take(in, "]");
    }
    do
        if (!take_equality(in))
            return false;
    while (take(in, "and "));
    return take(in, "]");
}

static bool take_apart(const char *xpath, struct locator *out)
{
    struct scan in = {xpath, out};
    if (!take(&in, "//"))
        return false;
    size_t length = strcspn(in.at, "[/ ");
    if (!length || memchr(in.at, ':', length) || memchr(in.at, '(', length))
        return false;
    if (length != 1 || *in.at != '*')
        set(&out->class_name, tac_strndup(in.at, length));
    in.at += length;
    while (*in.at == '[')
        if (!take_predicate(&in))
            return false;
    return *in.at == '\0';
}

void locator_of(const tac_model_action *action, struct locator *out)
{
    *out = (struct locator){.index = -1, .xpath = action->xpath, .complete = true};
    if (action->resource_id)
        out->resource_id = tac_strdup(action->resource_id);
    if (action->text)
        out->text = tac_strdup(action->text);
    if (action->xpath)
        out->complete = take_apart(action->xpath, out);
}

void locator_free(struct locator *locator)
{
    free(locator->resource_id);
    free(locator->text);
    free(locator->description);
    free(locator->class_name);
}

static void add_test(tac_str *out, const char *attribute, const char *value)
{
    if (!value)
        return;
    /* XPath 1.0 has no escapes: a text with both quotes cannot be written as one literal */
    char quote = strchr(value, '\'') ? '"' : '\'';
    tac_str_addf(out, "[@%s=%c%s%c]", attribute, quote, value, quote);
}

char *locator_xpath(const struct locator *locator)
{
    if (locator->xpath)
        return tac_strdup(locator->xpath);
    if (!locator->resource_id && !locator->text && !locator->description && !locator->class_name)
        return NULL;
    tac_str out = {0};
    tac_str_addf(&out, "//%s", locator->class_name ? locator->class_name : "*");
    add_test(&out, "resource-id", locator->resource_id);
    add_test(&out, "text", locator->text);
    add_test(&out, "content-desc", locator->description);
    return tac_str_take(&out);
}
