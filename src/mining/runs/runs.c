/* Building a set of runs: normalisation to strict alternation, tokens and blocks as dense numbers.
 *
 * Of consecutive states the last is kept; between consecutive inputs the current state is repeated;
 * a run that begins with an input gets the state "start" before it (mining paper, section 4). Cost:
 * one hash lookup per token, one per block. */
#include "mining/runs/runs.h"
#include "base/check.h"

static tac_status compile_states(struct tac_runs *runs, const char *expression, tac_error *err)
{
    runs->states_plain = !expression || strcmp(expression, "^s") == 0;
    runs->states_text = tac_strdup(expression ? expression : "^s");
    tac_error why;
    tac_status status =
        tac_pattern_new(runs->states_text, strlen(runs->states_text), &runs->states, &why);
    if (status != TAC_OK)
        tac_fail(err, status, "expression of state tokens: %s", why.message);
    return status;
}

static tac_status set_up(struct tac_runs *runs, const tac_runs_options *options, tac_error *err)
{
    tac_status status = compile_states(runs, options->states, err);
    for (size_t i = 0; !status && i < options->rule_count; i++)
        status = rules_add(&runs->rules, options->rules[i], err);
    if (!status && !options->plain)
        status = rules_add_builtin(&runs->rules, err);
    if (!status && options->labels)
        status = read_labels(runs, options->labels, err);
    if (!status && options->mapping)
        status = name_mapping_load(options->mapping, &runs->crashes.mapping, err);
    runs->crashes.reader.mapping = runs->crashes.mapping;
    if (!status && options->properties)
        status = labeller_load(&runs->labeller, options->properties, options->property, err);
    if (status)
        return status;
    runs->others.heap_limit = options->memory / sizeof *runs->others.at;
    runs->state_of = options->state_of ? tac_strdup(options->state_of) : NULL;
    return TAC_OK;
}

tac_status tac_runs_new(const tac_runs_options *options, tac_runs **out, tac_error *err)
{
    static const tac_runs_options defaults;
    struct tac_runs *runs = tac_calloc(1, sizeof *runs);
    tac_names_intern(&runs->clusters, "0");
    tac_vec_push(&runs->cluster_size, 0);
    runs->current = TAC_NONE;
    const char *packages = options ? options->packages : NULL;
    crash_list_make(&runs->crashes, packages, options ? options->framework : NULL);
    runs->crashes.reader.by = options ? options->by : TAC_CLUSTER_BY_FRAME;
    tac_status status = set_up(runs, options ? options : &defaults, err);
    if (status) {
        tac_runs_free(runs);
        return status;
    }
    *out = runs;
    return TAC_OK;
}

void tac_runs_free(tac_runs *runs)
{
    if (!runs)
        return;
    tac_names_free(&runs->tokens);
    tac_names_free(&runs->clusters);
    tac_names_free(&runs->files);
    tac_names_free(&runs->left_out);
    tac_vec_free(&runs->cluster_size);
    tac_u64map_free(&runs->block_ids);
    tac_vec_free(&runs->blocks);
    tac_vec_free(&runs->failing);
    tac_spill_free(&runs->others);
    tac_vec_free(&runs->building_blocks);
    tac_vec_free(&runs->list);
    tac_names_free(&runs->raw);
    tac_vec_free(&runs->raw_token);
    rules_free(&runs->rules);
    tac_pattern_free(runs->states);
    free(runs->states_text);
    crash_list_free(&runs->crashes);
    free(runs->state_of);
    tac_names_free(&runs->label_names);
    for (size_t i = 0; i < runs->label_texts.count; i++)
        free(runs->label_texts.at[i]);
    tac_vec_free(&runs->label_texts);
    labeller_free(&runs->labeller);
    tac_str_free(&runs->scratch);
    free(runs);
}

static bool is_state_text(struct tac_runs *runs, const char *text)
{
    bool found = false;
    if (runs->states_plain)
        return text[0] == 's';
    if (runs->failure.status == TAC_OK)
        tac_pattern_find(runs->states, text, strlen(text), 0, &found, NULL, 0, &runs->failure);
    return found;
}

static uint32_t intern_token(struct tac_runs *runs, char kind, const char *text)
{
    assert(kind == STATE_EVENT || kind == INPUT_EVENT);
    tac_str key = {0};
    tac_str_add_char(&key, kind);
    tac_str_add(&key, text);
    uint32_t id = tac_names_intern_bytes(&runs->tokens, key.text, key.length);
    tac_str_free(&key);
    return id;
}

/* The token of a text as it stands in the source. raw_token remembers it, so that rules and
 * expressions run once per distinct text. */
static uint32_t token_of(struct tac_runs *runs, enum token_source source, const char *text,
                         size_t length)
{
    tac_str_clear(&runs->scratch);
    tac_str_add_char(&runs->scratch, (char)source);
    tac_str_add_bytes(&runs->scratch, text, length);
    size_t before = runs->raw.count;
    assert(runs->raw_token.count == before); /* one beside each text */
    uint32_t raw = tac_names_intern_bytes(&runs->raw, runs->scratch.text, runs->scratch.length);
    if (raw < before && runs->raw_token.at[raw] != TAC_NONE)
        return runs->raw_token.at[raw];
    const char *plain = runs->raw.text[raw] + 1;
    char kind = (char)source;
    if (source == FROM_TEXT)
        kind = is_state_text(runs, plain) ? STATE_EVENT : INPUT_EVENT;
    tac_str normal = {0};
    bool depends;
    tac_error why; /* the first failure ends the run that is being read */
    tac_status status = rules_apply(&runs->rules, plain, &normal, &depends, &why);
    if (status != TAC_OK && runs->failure.status == TAC_OK)
        runs->failure = why;
    uint32_t token = intern_token(runs, kind, tac_str_text(&normal));
    tac_str_free(&normal);
    if (raw >= before)
        tac_vec_push(&runs->raw_token, depends ? TAC_NONE : token);
    return token;
}

static void add_state(struct tac_runs *runs, uint32_t token)
{
    assert(token < runs->tokens.count);
    runs->current = token;
    runs->fresh = true;
    runs->has_states = true;
}

static void add_input(struct tac_runs *runs, uint32_t token)
{
    if (runs->current == TAC_NONE)
        runs->current = intern_token(runs, STATE_EVENT, "start");
    bool is_new;
    uint64_t *id = tac_u64map_at(&runs->block_ids, (uint64_t)runs->current << 32 | token,
                                 runs->blocks.count, &is_new);
    uint32_t block = (uint32_t)*id;
    if (is_new)
        tac_vec_push(&runs->blocks, (struct block){runs->current, token});
    assert(block < runs->blocks.count);
    tac_vec_push(&runs->building_blocks, block);
    runs->fresh = false;
}

const char *runs_state_variable(const struct tac_runs *runs)
{
    return runs->state_of ? runs->state_of : runs->state_found ? runs->state_found : "state";
}

void runs_token(struct tac_runs *runs, const char *text, size_t length)
{
    assert(length <= MAX_LINE);
    uint32_t token = token_of(runs, FROM_TEXT, text, length);
    if (tac_token_is_state(runs, token))
        add_state(runs, token);
    else
        add_input(runs, token);
}

void tac_runs_state(tac_runs *runs, const char *token)
{
    add_state(runs, token_of(runs, STATE_EVENT, token, strlen(token)));
}

void tac_runs_input(tac_runs *runs, const char *token)
{
    add_input(runs, token_of(runs, INPUT_EVENT, token, strlen(token)));
}

void runs_begin_at(struct tac_runs *runs, const char *file, size_t line)
{
    runs->current = TAC_NONE;
    runs->fresh = false;
    rules_new_run(&runs->rules);
    runs->building_blocks.count = 0;
    runs->building = (struct mined_run){.file = tac_names_intern(&runs->files, file),
                                        .line = line > UINT32_MAX ? 0 : (uint32_t)line,
                                        .crash = TAC_NONE};
}

static tac_status keep_blocks(struct tac_runs *runs, struct mined_run *run)
{
    const uint32_t *blocks = runs->building_blocks.at;
    size_t count = runs->building_blocks.count;
    run->blocks = (uint32_t)count;
    run->first = run_fails(run) ? runs->failing.count : runs->others.count;
    if (!run_fails(run))
        return tac_spill_append(&runs->others, blocks, count, &runs->failure);
    tac_vec_append(&runs->failing, blocks, count);
    assert(runs->failing.count == run->first + run->blocks);
    return TAC_OK;
}

void tac_runs_end(tac_runs *runs, const char *label)
{
    struct mined_run run = runs->building;
    run.tail = runs->fresh ? runs->current : TAC_NONE;
    run.cluster = TAC_RUN_UNLABELLED;
    if (label) {
        run.cluster = tac_names_intern(&runs->clusters, label);
        if (run.cluster == runs->cluster_size.count)
            tac_vec_push(&runs->cluster_size, 0);
        assert(runs->cluster_size.count == runs->clusters.count);
        runs->cluster_size.at[run.cluster]++;
    }
    if (keep_blocks(runs, &run) == TAC_OK) /* the reader asks runs_check */
        tac_vec_push(&runs->list, run);
}

tac_status runs_check(const struct tac_runs *runs, const char *file, size_t line, tac_error *err)
{
    if (runs->failure.status != TAC_OK) {
        *err = runs->failure;
        return runs->failure.status;
    }
    if (runs->failing.count + runs->others.count + runs->building_blocks.count >= MAX_EVENTS)
        return tac_fail_at(err, TAC_E_LIMIT, file, line, 0, "more than 2^31 inputs in all runs");
    return TAC_OK;
}

size_t tac_runs_count(const tac_runs *runs)
{
    return runs->list.count;
}

size_t tac_runs_clusters(const tac_runs *runs)
{
    return runs->clusters.count;
}

const char *tac_runs_cluster_name(const tac_runs *runs, uint32_t cluster)
{
    return runs->clusters.text[cluster];
}

uint32_t tac_runs_label(const tac_runs *runs, size_t run)
{
    return runs->list.at[run].cluster;
}

char *tac_runs_name(const tac_runs *runs, size_t run)
{
    const struct mined_run *r = &runs->list.at[run];
    const char *file = runs->files.text[r->file];
    return r->line ? tac_format("%s:%u", file, r->line) : tac_strdup(file);
}

size_t tac_token_count(const tac_runs *runs)
{
    assert(runs->tokens.count < TAC_NONE);
    return runs->tokens.count;
}

const char *tac_token_text(const tac_runs *runs, uint32_t token)
{
    return runs->tokens.text[token] + 1;
}

bool tac_token_is_state(const tac_runs *runs, uint32_t token)
{
    return runs->tokens.text[token][0] == STATE_EVENT;
}

void tac_runs_block(const tac_runs *runs, uint32_t block, uint32_t *state, uint32_t *input)
{
    *state = runs->blocks.at[block].state;
    *input = runs->blocks.at[block].input;
}
