/* Observables of a page: the page script answers (page/observe.js), the hierarchy from the same
 * moment. */
#include "base/data/alloc.h"
#include "base/io/json.h"
#include "device/web/webdriver.h"
#include "trace/trace.h"

static json_t *queries_json(const tac_observable *observables, size_t count)
{
    json_t *queries = json_array();
    for (size_t i = 0; i < count; i++) {
        const tac_observable *what = &observables[i];
        json_array_append_new(
            queries, json_pack("[s,o,o]", tac_observe_word(what->kind),
                               what->css ? tac_json_string(what->css) : json_null(),
                               what->attribute ? tac_json_string(what->attribute) : json_null()));
    }
    return queries;
}

static char *text_copy(const json_t *value)
{
    const char *text = json_string_value(value);
    return text ? tac_strdup(text) : NULL;
}

static char *list_copy(const json_t *value)
{
    size_t count = json_array_size(value);
    const char **texts = tac_calloc(count + 1, sizeof *texts);
    for (size_t i = 0; i < count; i++) {
        texts[i] = json_string_value(json_array_get(value, i));
        texts[i] = texts[i] ? texts[i] : "";
    }
    char *list = tac_trace_list(texts, count);
    free(texts);
    return list;
}

static void take_value(const tac_observable *what, const json_t *value, tac_observed *out)
{
    if (json_is_null(value) || !value)
        return;
    if (what->kind == TAC_OBSERVE_COUNT)
        observed_number(out, json_number_value(value));
    else if (what->kind == TAC_OBSERVE_NUMBER)
        observed_number_in(out, json_string_value(value) ? json_string_value(value) : "");
    else if (json_is_boolean(value))
        observed_boolean(out, json_is_true(value));
    else if (json_is_array(value))
        observed_text(out, list_copy(value));
    else
        observed_text(out, text_copy(value));
}

tac_status wd_observe(tac_device *device, const tac_observable *observables, size_t count,
                      double deadline, tac_observed *values, const tac_ui **out, tac_error *err)
{
    struct webdriver *w = device->state;
    json_t *queries = queries_json(observables, count), *answer = NULL;
    char *text = tac_json_text(queries, JSON_COMPACT);
    char *call = tac_format("__tactus.observe(%s)", text);
    tac_status status = wd_ask_page(w, "look at the page", call, deadline, &answer, err);
    free(call);
    free(text);
    json_decref(queries);
    const json_t *wrong = json_object_get(answer, "wrong");
    size_t place = (size_t)json_integer_value(wrong);
    if (status == TAC_OK && wrong && place < count)
        status = tac_fail(err, TAC_E_INPUT, "'%s': css:\"%s\" is not a css selector",
                          observables[place].name, observables[place].css);
    if (status == TAC_OK)
        status = wd_fill_tree(w, json_object_get(answer, "rows"), err);
    if (status == TAC_OK) {
        for (size_t i = 0; i < count; i++)
            if (observables[i].css)
                take_value(&observables[i], json_array_get(json_object_get(answer, "values"), i),
                           &values[i]);
        *out = w->ui;
    }
    json_decref(answer);
    return status;
}
