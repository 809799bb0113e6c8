/* Which messages of a recording an atom of a rule can mean, and under which values of its
 * variables. The tables that grounding joins. All lookups are hash lookups. */
#include "base/check.h"
#include "base/data/str.h"
#include "protocol/system/grounding.h"

static void add_occurrence(struct occurrence_index *index, enum direction direction,
                           uint32_t signature, const struct call *call, bool has_result,
                           struct occurrence occurrence)
{
    uint32_t key[4] = {direction, signature, call->value_count, has_result};
    uint32_t number = tac_names_intern_bytes(&index->keys, key, sizeof key);
    if (number == index->lists.count)
        tac_vec_push(&index->lists, (struct occurrence_list){{0}});
    assert(index->lists.count == index->keys.count);
    tac_vec_push(&index->lists.at[number].list, occurrence);
}

void occurrence_index_build(const struct recording *r, bool with_tail, struct occurrence_index *out)
{
    *out = (struct occurrence_index){0};
    tac_names seen = {0};
    tac_str key = {0};
    size_t count = r->messages.count + (with_tail ? r->tail.count : 0);
    for (size_t i = 0; i < count; i++) {
        const struct message *m = recording_message(r, i);
        const struct call *call = &r->calls.at[m->call];
        tac_str_clear(&key);
        tac_str_add_bytes(&key, (const char *)&m->letter, sizeof m->letter);
        for (uint32_t v = 0; v < call->value_count; v++)
            tac_str_add_bytes(&key, (const char *)&r->values.at[call->first_value + v].whole,
                              sizeof(uint32_t));
        bool has_result = m->is_exit && call->has_result;
        if (has_result)
            tac_str_add_bytes(&key, (const char *)&call->result.whole, sizeof(uint32_t));
        if (!tac_names_add(&seen, tac_str_text(&key), key.length))
            continue;
        struct occurrence occurrence = {.letter = m->letter, .call = m->call};
        enum direction direction = direction_of(call->kind, m->is_exit);
        if (call->kind == CALLIN)
            add_occurrence(out, direction, call->signature, call, has_result, occurrence);
        for (uint32_t o = 0; o < call->override_count; o++)
            add_occurrence(out, direction, r->overrides.at[call->first_override + o], call,
                           has_result, occurrence);
    }
    tac_names_free(&seen);
    tac_str_free(&key);
}

void occurrence_index_free(struct occurrence_index *index)
{
    for (size_t i = 0; i < index->lists.count; i++)
        tac_vec_free(&index->lists.at[i].list);
    tac_vec_free(&index->lists);
    tac_names_free(&index->keys);
}

const struct occurrence_list *occurrence_find(const struct occurrence_index *index,
                                              enum direction direction, uint32_t signature,
                                              uint32_t value_count, bool has_result)
{
    uint32_t key[4] = {direction, signature, value_count, has_result};
    uint32_t number = tac_names_find_bytes(&index->keys, key, sizeof key);
    assert(number == TAC_NONE || number < index->lists.count);
    return number == TAC_NONE ? NULL : &index->lists.at[number];
}

/* Does the value fit the parameter? Variables are put into binding[], which starts as TAC_NONE. */
static bool match_param(const struct recording *r, const struct spec_set *specs,
                        const struct spec_param *param, struct value value,
                        const u32_vec *variables, uint32_t *binding)
{
    switch (param->kind) {
    case PARAM_ANY:
        return true;
    case PARAM_NULL:
        return value.identity == IDENTITY_NULL;
    case PARAM_CONSTANT:
        return tac_names_find(&r->names, specs->names.text[param->name]) == value.identity;
    case PARAM_VARIABLE:
        for (size_t i = 0; i < variables->count; i++)
            if (variables->at[i] == param->name) {
                if (binding[i] == TAC_NONE)
                    binding[i] = value.whole;
                return binding[i] == value.whole;
            }
        return false;
    }
    return false;
}

static bool match_call(const struct recording *r, const struct spec_set *specs,
                       const struct spec_inline *rule, const struct spec_atom *atom,
                       const struct call *call, const u32_vec *variables, uint32_t *binding)
{
    for (size_t i = 0; i < variables->count; i++)
        binding[i] = TAC_NONE;
    assert(atom->param_count == call->value_count &&
           atom->first_param + atom->param_count <= rule->params.count);
    for (uint32_t i = 0; i < atom->param_count; i++)
        if (!match_param(r, specs, &rule->params.at[atom->first_param + i],
                         r->values.at[call->first_value + i], variables, binding))
            return false;
    return !atom->has_result ||
           match_param(r, specs, &atom->result, call->result, variables, binding);
}

static void find_variables(const struct spec_inline *rule, const struct spec_atom *atom,
                           const u32_vec *variables, struct atom_table *out)
{
    assert(variables->count <= 32); /* a mask holds them */
    out->variables = tac_calloc(variables->count + 1, sizeof *out->variables);
    for (uint32_t v = 0; v < variables->count; v++) {
        bool used = atom->has_result && atom->result.kind == PARAM_VARIABLE &&
                    atom->result.name == variables->at[v];
        for (uint32_t i = 0; i < atom->param_count && !used; i++) {
            const struct spec_param *p = &rule->params.at[atom->first_param + i];
            used = p->kind == PARAM_VARIABLE && p->name == variables->at[v];
        }
        if (used)
            out->variables[out->variable_count++] = v;
    }
}

void atom_table_build(const struct recording *r, const struct occurrence_list *list,
                      const struct spec_set *specs, const struct spec_inline *rule,
                      const struct spec_atom *atom, const u32_vec *variables,
                      struct atom_table *out)
{
    *out = (struct atom_table){0};
    find_variables(rule, atom, variables, out);
    uint32_t *binding = tac_calloc(variables->count + 1, sizeof *binding);
    uint32_t *row = tac_calloc(variables->count + 1, sizeof *row);
    for (size_t i = 0; list && i < list->list.count; i++) {
        const struct occurrence *o = &list->list.at[i];
        if (!match_call(r, specs, rule, atom, &r->calls.at[o->call], variables, binding))
            continue;
        for (uint32_t v = 0; v < out->variable_count; v++)
            row[v] = binding[out->variables[v]];
        uint32_t number =
            tac_names_intern_bytes(&out->rows, row, out->variable_count * sizeof *row);
        if (number == out->letters.count)
            tac_vec_push(&out->letters, (struct atom_row){{0}});
        assert(out->letters.count == out->rows.count);
        tac_vec_push(&out->letters.at[number].letters, o->letter);
    }
    free(binding);
    free(row);
}

void atom_table_free(struct atom_table *table)
{
    free(table->variables);
    tac_names_free(&table->rows);
    for (size_t i = 0; i < table->letters.count; i++)
        tac_vec_free(&table->letters.at[i].letters);
    tac_vec_free(&table->letters);
    for (size_t i = 0; i < table->lookups.count; i++) {
        struct atom_lookup *lookup = &table->lookups.at[i];
        for (size_t k = 0; k < lookup->rows.count; k++)
            tac_vec_free(&lookup->rows.at[k].letters);
        tac_vec_free(&lookup->rows);
        tac_names_free(&lookup->keys);
    }
    tac_vec_free(&table->lookups);
}

static const uint32_t *row_values(const struct atom_table *table, uint32_t row)
{
    assert(row < table->rows.count);
    return (const uint32_t *)(const void *)table->rows.text[row];
}

/* The values of the masked variables, packed into key[]; their number. */
static size_t masked(const struct atom_table *table, uint32_t mask, const uint32_t *values,
                     bool by_variable, uint32_t *key)
{
    size_t n = 0;
    for (uint32_t v = 0; v < table->variable_count; v++)
        if (mask >> v & 1)
            key[n++] = values[by_variable ? table->variables[v] : v];
    return n;
}

static struct atom_lookup *lookup_for(struct atom_table *table, uint32_t mask)
{
    for (size_t i = 0; i < table->lookups.count; i++)
        if (table->lookups.at[i].mask == mask)
            return &table->lookups.at[i];
    struct atom_lookup lookup = {.mask = mask};
    uint32_t key[32];
    for (uint32_t row = 0; row < table->rows.count; row++) {
        size_t n = masked(table, mask, row_values(table, row), false, key);
        uint32_t number = tac_names_intern_bytes(&lookup.keys, key, n * sizeof *key);
        if (number == lookup.rows.count)
            tac_vec_push(&lookup.rows, (struct atom_row){{0}});
        tac_vec_push(&lookup.rows.at[number].letters, row);
    }
    tac_vec_push(&table->lookups, lookup);
    return &tac_vec_last(&table->lookups);
}

const u32_vec *atom_table_find(struct atom_table *table, const uint32_t *binding)
{
    uint32_t mask = 0, key[32];
    for (uint32_t v = 0; v < table->variable_count; v++)
        if (binding[table->variables[v]] != TAC_NONE)
            mask |= (uint32_t)1 << v;
    struct atom_lookup *lookup = lookup_for(table, mask);
    size_t n = masked(table, mask, binding, true, key);
    uint32_t number = tac_names_find_bytes(&lookup->keys, key, n * sizeof *key);
    return number == TAC_NONE ? NULL : &lookup->rows.at[number].letters;
}

uint32_t atom_table_row(const struct atom_table *table, const uint32_t *binding)
{
    uint32_t key[32];
    size_t n = masked(table, UINT32_MAX, binding, true, key);
    for (size_t i = 0; i < n; i++)
        if (key[i] == TAC_NONE)
            return TAC_NONE;
    return tac_names_find_bytes(&table->rows, key, n * sizeof *key);
}
