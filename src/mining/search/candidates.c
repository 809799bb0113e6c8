/* Lists of patterns under construction, and exact thresholds. */
#include "mining/search/candidates.h"
#include "base/check.h"
#include "base/data/text.h"

void candidates_add(struct candidates *list, tac_template template, const uint32_t *blocks,
                    uint32_t block_count, uint32_t tail, const tac_figures *fail)
{
    assert(block_count <= TAC_MINE_MAX_DEPTH);
    struct candidate candidate = {.template = template,
                                  .block_count = block_count,
                                  .start = (uint32_t)list->blocks.count,
                                  .tail = tail,
                                  .fail = *fail};
    tac_vec_append(&list->blocks, blocks, block_count);
    tac_vec_push(&list->at, candidate);
}

void candidates_append(struct candidates *list, const struct candidates *source, size_t index)
{
    assert(index < source->at.count);
    struct candidate candidate = source->at.at[index];
    assert(candidate.start + candidate.block_count <= source->blocks.count);
    const uint32_t *blocks = /* a list without any block has no memory to point into */
        candidate.block_count ? source->blocks.at + candidate.start : NULL;
    candidate.start = (uint32_t)list->blocks.count;
    tac_vec_append(&list->blocks, blocks, candidate.block_count);
    tac_vec_push(&list->at, candidate);
}

size_t candidate_key(const struct candidates *list, const struct candidate *c,
                     uint32_t key[CANDIDATE_KEY])
{
    assert(c->block_count <= TAC_MINE_MAX_DEPTH);
    key[0] = c->template;
    key[1] = c->tail;
    key[2] = c->times;
    if (c->block_count)
        memcpy(key + 3, blocks_of(list, c), c->block_count * sizeof *key);
    return 3 + c->block_count;
}

bool blocks_contain(const uint32_t *longer, uint32_t count, const uint32_t *shorter,
                    uint32_t wanted)
{
    uint32_t met = 0;
    assert(count >= wanted);
    for (uint32_t i = 0; i < count && met < wanted; i++)
        met += longer[i] == shorter[met];
    return met == wanted;
}

void candidates_free(struct candidates *list)
{
    tac_vec_free(&list->at);
    tac_vec_free(&list->blocks);
}

/* The shortest decimal that reads back as the value is what the user wrote (up to 15 digits). */
struct threshold threshold_of(double value)
{
    char text[64];
    struct threshold out = {0, 1};
    tac_double_text(value, text, sizeof text);
    assert(value >= 0);
    bool point = false;
    const char *c = text;
    for (; *c && *c != 'e' && out.denominator < 1000000000000000ull; c++) {
        if (*c == '.')
            point = true;
        else if (*c >= '0' && *c <= '9') {
            out.numerator = out.numerator * 10 + (uint64_t)(*c - '0');
            out.denominator *= point ? 10 : 1;
        }
    }
    if (*c == 'e') /* below 1e-5: any occurrence reaches it */
        out = (struct threshold){1, 1000000000000000ull};
    return out;
}

tac_status limit_passed(const struct mine_task *task, tac_template template, tac_error *err)
{
    return tac_fail(err, TAC_E_LIMIT,
                    "more than %llu patterns (counting %s); raise the thresholds, lower the depth, "
                    "or ask for the leading ones only",
                    (unsigned long long)task->limit, tac_template_name(template));
}

const char *const mine_template_words[] = {
    [TAC_G1] = "g1", [TAC_G2] = "g2",   [TAC_G2E] = "g2e", [TAC_G3] = "g3",   [TAC_G4] = "g4",
    [TAC_G5] = "g5", [TAC_G1E] = "g1e", [TAC_HAS] = "has", [TAC_END] = "end", [TAC_MANY] = "many"};
TABLE_COVERS(mine_template_words, TAC_MANY);

const char *tac_template_name(tac_template template)
{
    assert(template <= TAC_MANY);
    return mine_template_words[template];
}
