/* The values of `for each`: which one a state has, as a small number, and its text. One variable
 * with symbols is numbered by them; others by the bytes of their values. */
#include "property/monitor/each_parts.h"

#include "base/check.h"
#include "base/data/text.h"
#include "trace/trace.h"
#include <math.h>
#include <string.h>

static bool by_symbol(const struct each_state *each)
{
    assert(each->part->each_count >= 1 && each->part->each_count <= PROPERTY_MAX_EACH);
    return each->part->each_count == 1 &&
           each->part->program->slots.at[each->part->each[0]].discrete;
}

uint32_t each_value_at(struct each_state *each, const tac_trace_block *block, size_t i)
{
    assert(i < block->count);
    uint64_t key[PROPERTY_MAX_EACH];
    const struct property_part *part = each->part;
    for (size_t k = 0; k < part->each_count; k++) {
        const struct column_slot *slot = &part->program->slots.at[part->each[k]];
        if (slot->variable == COLUMN_NONE)
            return COLUMN_NONE;
        if (slot->discrete) {
            key[k] = block->symbols[slot->variable][i];
            if (key[k] == TAC_TRACE_NO_SYMBOL || (key[k] < part->program->mark_of_symbol.count &&
                                                  part->program->mark_of_symbol.at[key[k]]))
                return COLUMN_NONE;
        } else {
            double number = block->numbers[slot->variable][i] + 0.0; /* -0 is 0 */
            if (isnan(number))
                return COLUMN_NONE;
            memcpy(&key[k], &number, sizeof number);
        }
    }
    uint32_t id = by_symbol(each)
                      ? (uint32_t)key[0]
                      : tac_names_intern_bytes(&each->keys, key, part->each_count * sizeof *key);
    while (each->flags.count <= id) {
        tac_vec_push(&each->flags, 0);
        tac_vec_push(&each->place, 0);
    }
    return id;
}

uint32_t each_reason(const struct each_state *each, const tac_trace_block *block, size_t i)
{
    const struct property_part *part = each->part;
    for (size_t k = 0; k < part->each_count; k++) {
        const struct column_slot *slot = &part->program->slots.at[part->each[k]];
        if (slot->variable == COLUMN_NONE)
            continue;
        uint32_t reason = slot->discrete
                              ? block->symbols[slot->variable][i]
                              : tac_trace_unknown_reason(block->numbers[slot->variable][i]);
        if (reason < part->program->mark_of_symbol.count &&
            part->program->mark_of_symbol.at[reason])
            return reason;
    }
    return TAC_TRACE_NO_SYMBOL;
}

void each_value_text(const struct each_state *each, uint32_t id, const char *const *symbols,
                     size_t symbol_count, tac_str *out)
{
    assert(id < each->flags.count);
    const struct property_part *part = each->part;
    for (size_t k = 0; k < part->each_count; k++) {
        const struct column_slot *slot = &part->program->slots.at[part->each[k]];
        uint64_t key = id;
        if (!by_symbol(each))
            memcpy(&key, each->keys.text[id] + k * sizeof key, sizeof key);
        tac_str_addf(out, "%s%s=", k ? ", " : "", slot->name);
        if (slot->discrete) {
            tac_str_add(out, key < symbol_count ? symbols[key] : "?");
        } else {
            double number;
            char text[32];
            memcpy(&number, &key, sizeof number);
            tac_str_add(out, tac_double_text(number, text, sizeof text));
        }
    }
}
