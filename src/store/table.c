/* See table.h. */
#include "store/table.h"
#include "base/check.h"
#include "base/data/str.h"
#include <string.h>

#define COLUMN(word, kind, member)                                                                 \
    {                                                                                              \
        .name = #word, .type = kind, .at = offsetof(struct store_row, member)                      \
    }
#define NEW_COLUMN(word, kind, member, before)                                                     \
    {                                                                                              \
        .name = #word, .type = kind, .at = offsetof(struct store_row, member),                     \
        .before_two = before                                                                       \
    }

static const struct store_column run_columns[] = {
    COLUMN(id, STORE_INTEGER, run.id),
    COLUMN(kind, STORE_TEXT, run.kind),
    COLUMN(name, STORE_TEXT, run.name),
    COLUMN(flow, STORE_INTEGER, run.flow),
    COLUMN(scenario, STORE_TEXT, run.scenario),
    COLUMN(repeat, STORE_INTEGER, run.repeat),
    COLUMN(seed, STORE_SEED, run.seed),
    COLUMN(verdict, STORE_TEXT, run.verdict),
    COLUMN(message, STORE_TEXT, run.message),
    COLUMN(exception, STORE_TEXT, run.exception),
    COLUMN(trace, STORE_TEXT, run.trace),
    COLUMN(seconds, STORE_REAL, run.seconds),
    COLUMN(steps, STORE_INTEGER, run.steps),
    COLUMN(details, STORE_MAYBE, run.details),
    NEW_COLUMN(trace_size, STORE_INTEGER, run.trace_size, "-1"),
    NEW_COLUMN(trace_digest, STORE_TEXT, run.trace_digest, "''")};
static const struct store_column verdict_columns[] = {
    COLUMN(run, STORE_INTEGER, verdict.run), COLUMN(property, STORE_TEXT, verdict.property),
    COLUMN(answer, STORE_TEXT, verdict.answer), COLUMN(document, STORE_TEXT, verdict.document)};
static const struct store_column document_columns[] = {
    COLUMN(kind, STORE_TEXT, document.kind), COLUMN(name, STORE_TEXT, document.name),
    COLUMN(document, STORE_TEXT, document.document)};
static const struct store_column setting_columns[] = {COLUMN(key, STORE_TEXT, setting.key),
                                                      COLUMN(value, STORE_TEXT, setting.value)};
static const struct store_column aside_columns[] = {
    COLUMN(source, STORE_TEXT, aside.source), COLUMN(row, STORE_INTEGER, aside.row),
    COLUMN(reason, STORE_TEXT, aside.reason), COLUMN(content, STORE_TEXT, aside.content)};

#define SHAPE(word, list, by)                                                                      \
    {                                                                                              \
        word, list, sizeof list / sizeof *list, by                                                 \
    }
const struct store_shape store_shapes[STORE_TABLES] = {
    [STORE_RUN] = SHAPE("run", run_columns, "id"),
    [STORE_VERDICT] = SHAPE("verdict", verdict_columns, "property,run"),
    [STORE_DOCUMENT] = SHAPE("document", document_columns, "kind,name"),
    [STORE_SETTING] = SHAPE("setting", setting_columns, "key"),
    [STORE_ASIDE] = SHAPE("aside", aside_columns, "number")};
static_assert(sizeof run_columns / sizeof *run_columns <= STORE_COLUMNS,
              "STORE_COLUMNS is too few");

static void *value_of(struct store_row *row, const struct store_column *column)
{
    return (char *)row + column->at;
}

int64_t *store_integer(struct store_row *row, const struct store_column *column)
{
    assert(column->type == STORE_INTEGER);
    return value_of(row, column);
}

double *store_real(struct store_row *row, const struct store_column *column)
{
    assert(column->type == STORE_REAL);
    return value_of(row, column);
}

uint64_t *store_seed(struct store_row *row, const struct store_column *column)
{
    assert(column->type == STORE_SEED);
    return value_of(row, column);
}

const char **store_text(struct store_row *row, const struct store_column *column)
{
    assert(column->type == STORE_TEXT || column->type == STORE_MAYBE);
    return value_of(row, column);
}

char *store_columns(const struct store_shape *shape, const struct store_around *around,
                    const char *between)
{
    tac_str text = {0};
    for (size_t i = 0; i < shape->count; i++) {
        const struct store_around *at = &around[shape->columns[i].type];
        tac_str_addf(&text, "%s%s%s%s", i ? between : "", at->before ? at->before : "",
                     shape->columns[i].name, at->after ? at->after : "");
    }
    return tac_str_take(&text);
}

char *store_places(size_t count, const char *before, size_t first)
{
    tac_str text = {0};
    for (size_t i = 0; i < count; i++)
        tac_str_addf(&text, "%s%s%zu", i ? "," : "", before, first + i);
    return tac_str_take(&text);
}

struct store_row store_row_of(enum store_table table, const void *fields)
{
    static const size_t sizes[] = {[STORE_RUN] = sizeof(tac_store_run),
                                   [STORE_VERDICT] = sizeof(struct store_verdict),
                                   [STORE_DOCUMENT] = sizeof(struct store_document),
                                   [STORE_SETTING] = sizeof(struct store_setting),
                                   [STORE_ASIDE] = sizeof(struct store_aside)};
    TABLE_COVERS(sizes, STORE_ASIDE);
    struct store_row row = {.table = table};
    memcpy(&row.run, fields, sizes[table]);
    const struct store_shape *shape = &store_shapes[table];
    for (size_t i = 0; i < shape->count; i++)
        if (shape->columns[i].type == STORE_TEXT && !*store_text(&row, &shape->columns[i]))
            *store_text(&row, &shape->columns[i]) = "";
    return row;
}

void store_row_keep(tac_arena *arena, struct store_row *row)
{
    const struct store_shape *shape = &store_shapes[row->table];
    for (size_t i = 0; i < shape->count; i++) {
        enum store_type type = shape->columns[i].type;
        const char **text =
            type == STORE_TEXT || type == STORE_MAYBE ? store_text(row, &shape->columns[i]) : NULL;
        if (text && *text)
            *text = tac_arena_strdup(arena, *text);
    }
}
