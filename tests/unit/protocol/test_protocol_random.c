/* The engines against the definition, on random small problems.
 *
 * The definition is that of reference.h, which shares nothing with the library. Rules have '&',
 * '!', nested stars and conflicts. */
#include "base/data/random.h"
#include "base/data/str.h"
#include "protocol/search/search.h"
#include "protocol_text.h"
#include "reference.h"

static int letter_of(int method, int object, bool exit)
{
    return (method * OBJECTS + object) * 2 + exit;
}

static int add(struct rule *rule, enum kind kind, int left, int right)
{
    rule->nodes[rule->count] = (struct node){.kind = kind, .left = left, .right = right};
    return rule->count++;
}

static int random_atom(struct rule *rule, tac_random *random)
{
    int node = add(rule, ATOM, 0, 0);
    rule->nodes[node].method = (int)tac_random_below(random, METHODS);
    rule->nodes[node].exit = tac_random_below(random, 4) == 0;
    rule->nodes[node].variable = (int)tac_random_below(random, 3);
    return node;
}

static int random_tree(struct rule *rule, tac_random *random, int depth)
{
    uint64_t pick = tac_random_below(random, depth ? 12 : 5);
    if (pick < 4)
        return random_atom(rule, random);
    if (pick == 4)
        return add(rule, tac_random_below(random, 5) ? ANY : NONE, 0, 0);
    if (pick < 7) {
        int inner = random_tree(rule, random, depth - 1);
        return add(rule, pick == 5 ? NOT : STAR, inner, 0);
    }
    int left = random_tree(rule, random, depth - 1), right = random_tree(rule, random, depth - 1);
    return add(rule, pick < 9 ? SEQ : pick == 9 ? AND : pick == 10 ? OR : SEQ, left, right);
}

static void random_rule(struct rule *rule, tac_random *random)
{
    rule->count = 0;
    rule->permits = tac_random_below(random, 3) == 0;
    uint64_t shape = tac_random_below(random, 4);
    if (shape == 0) { /* acts on the initial state */
        rule->body = add(rule, STAR, add(rule, NONE, 0, 0), 0);
    } else {
        int tail = shape == 1 ? random_atom(rule, random) : random_tree(rule, random, 3);
        rule->body =
            shape == 3 ? tail : add(rule, SEQ, add(rule, STAR, add(rule, ANY, 0, 0), 0), tail);
    }
    rule->target = random_atom(rule, random);
}

static void random_instance(struct instance *i, tac_random *random)
{
    *i = (struct instance){.paper = tac_random_below(random, 4) == 0};
    i->rule_count = 1 + (int)tac_random_below(random, RULES);
    for (int r = 0; r < i->rule_count; r++) {
        random_rule(&i->rules[r], random);
        if (!r || tac_random_below(random, 3))
            continue;
        /* About the same message as the rule before, the other way round: conflicts. */
        struct node target = i->rules[r - 1].nodes[i->rules[r - 1].target];
        if (tac_random_below(random, 2))
            i->rules[r] = i->rules[r - 1];
        i->rules[r].nodes[i->rules[r].target] = target;
        i->rules[r].permits = !i->rules[r - 1].permits;
    }
    i->event_count = 1 + (int)tac_random_below(random, EVENTS);
    for (int e = 0; e < i->event_count; e++) {
        int callback = (int)tac_random_below(random, 2),
            object = (int)tac_random_below(random, OBJECTS);
        int *word = i->events[e], n = 0;
        word[n++] = letter_of(callback, object, false);
        if (tac_random_below(random, 4)) {
            int callin = 2 + (int)tac_random_below(random, 2),
                o = (int)tac_random_below(random, OBJECTS);
            word[n++] = letter_of(callin, o, false);
            word[n++] = letter_of(callin, o, true);
        }
        word[n++] = letter_of(callback, object, true);
        i->lengths[e] = n;
        for (int k = 0; k < n; k++)
            i->sent[word[k]] = true;
    }
}

/* --- The same problem for the library --- */

static void print_atom(const struct node *node, tac_str *out)
{
    static const char *const names[] = {"cb0", "cb1", "ci0", "ci1"};
    static const char *const variables[] = {"x", "y", "#"};
    tac_str_addf(out, "[%s] [%s] [%s] void a.A.%s()", node->method < 2 ? "CB" : "CI",
                 node->exit ? "EXIT" : "ENTRY", variables[node->variable], names[node->method]);
}

static void print_tree(const struct rule *rule, int index, tac_str *out)
{
    static const char *const operators[] = {"", "", "", "; ", " & ", " | "};
    const struct node *node = &rule->nodes[index];
    switch (node->kind) {
    case ATOM:
        print_atom(node, out);
        return;
    case ANY:
    case NONE:
        tac_str_add(out, node->kind == ANY ? "TRUE" : "FALSE");
        return;
    case NOT:
        tac_str_add(out, "!(");
        print_tree(rule, node->left, out);
        tac_str_add(out, ")");
        return;
    case STAR:
        tac_str_add(out, "(");
        print_tree(rule, node->left, out);
        tac_str_add(out, ")[*]");
        return;
    default:
        tac_str_add(out, "(");
        print_tree(rule, node->left, out);
        tac_str_add(out, operators[node->kind]);
        print_tree(rule, node->right, out);
        tac_str_add(out, ")");
    }
}

static char *rules_text(const struct instance *i)
{
    tac_str text = {0};
    for (int r = 0; r < i->rule_count; r++) {
        tac_str_add(&text, r ? ";\nSPEC " : "SPEC ");
        print_tree(&i->rules[r], i->rules[r].body, &text);
        tac_str_add(&text, i->rules[r].permits ? " |+ " : " |- ");
        print_atom(&i->rules[r].nodes[i->rules[r].target], &text);
    }
    return tac_str_take(&text);
}

static char *trace_text(const struct instance *i)
{
    static const char *const names[] = {"cb0", "cb1", "ci0", "ci1"};
    tac_str text = {0};
    for (int e = 0; e < i->event_count; e++)
        for (int k = 0; k < i->lengths[e]; k++) {
            int letter = i->events[e][k], method = letter / 2 / OBJECTS;
            tac_str_addf(&text,
                         "{\"type\":\"%s_%s\",\"class\":\"a.A\",\"method\":\"void %s()\","
                         "\"params\":[{\"object\":\"o%d\"}]}\n",
                         method < 2 ? "callback" : "callin", letter % 2 ? "exit" : "entry",
                         names[method], letter / 2 % OBJECTS);
        }
    return tac_str_take(&text);
}

struct library {
    tac_protocol_rules *rules;
    tac_recording *recording;
};

static void library_load(struct library *l, const char *rules, const char *trace)
{
    tac_error err = {0};
    if (rules_of_text(rules, &l->rules, NULL, &err) != TAC_OK ||
        recording_of_bytes(trace, strlen(trace), &l->recording, &err) != TAC_OK) {
        fprintf(stderr, "%s\n%s\n%s\n", err.message, rules, trace);
        REQUIRE(false && "the instance loads");
    }
}

/* -1 safe, else the length of the witness. */
static int library_verify(const struct library *l, const struct instance *i,
                          tac_protocol_engine engine, const char *certificate)
{
    tac_protocol_options options = {.engine = engine,
                                    .paper_conflicts = i->paper,
                                    .certificate = certificate,
                                    .trust_rules = true};
    tac_protocol_result result;
    tac_error err = {0};
    if (tac_protocol_verify(l->rules, l->recording, &options, &result, &err) != TAC_OK) {
        fprintf(stderr, "%s\n", err.message);
        CHECK(false && "verify runs");
        return -3;
    }
    int length = -2;
    if (result.safety == TAC_SAFE)
        length = -1;
    else if (result.safety == TAC_UNSAFE)
        length = (int)result.witness->count;
    tac_protocol_result_free(&result);
    return length;
}

/* The same with no room for the whole cone, so that abstractions are refined. */
static int library_refine(const struct library *l)
{
    tac_protocol_options options = {.trust_rules = true};
    struct search_options search = {.engine = ENGINE_BFS, .budget = 1};
    struct problem problem;
    struct search_result result;
    size_t shortest;
    REQUIRE(problem_build(l->rules, l->recording, &options, &problem, NULL) == TAC_OK);
    REQUIRE(search_all(&problem.system, &search, &result, NULL) == TAC_OK);
    enum search_verdict verdict = search_overall(&result, &shortest);
    int length = verdict == SEARCH_SAFE     ? -1
                 : verdict == SEARCH_UNSAFE ? (int)result.targets.at[shortest].events.count
                                            : -2;
    search_result_free(&result);
    problem_free(&problem);
    return length;
}

/* How the random problems came out: a test of nothing but safe problems would show little. */
static size_t safe_problems, unsafe_problems, deep_problems, conflicts, stuck_recordings;

static void check_validation(const struct library *l, const struct instance *i, struct reference *f)
{
    static const char *const names[] = {"OK", "STUCK", "VIOLATION", "CONFLICT"};
    tac_protocol_options options = {.paper_conflicts = i->paper, .trust_rules = true};
    tac_protocol_result result;
    int message;
    enum end end = reference_walk(f, &message);
    REQUIRE(tac_protocol_validate(l->rules, l->recording, &options, &result, NULL) == TAC_OK);
    CHECK_STR(tac_admission_name(result.admission), names[end]);
    conflicts += end == CONFLICTS;
    stuck_recordings += end == STOPS;
    if (end != GOES_ON && message)
        CHECK_EQ(result.refused ? result.refused->index : 0, message);
    tac_protocol_result_free(&result);
}

static void check_instance(const struct instance *i)
{
    static struct reference f;
    char *rules = rules_text(i), *trace = trace_text(i);
    struct library l = {0};
    library_load(&l, rules, trace);
    f = (struct reference){.instance = i, .shortest = DEPTH + 1};
    reference_ground(&f);
    check_validation(&l, i, &f);
    memset(f.blocked, 0, sizeof f.blocked);
    f.doomed = false;
    f.length = 0;
    if (reference_settle(&f) == GOES_ON)
        reference_enumerate(&f, 0);
    const char *certificate = i->paper ? NULL : test_temporary("certificate.json");
    int bfs = library_verify(&l, i, TAC_ENGINE_BFS, certificate);
    int bdd = library_verify(&l, i, TAC_ENGINE_BDD, NULL);
    safe_problems += bfs == -1;
    unsafe_problems += bfs > 0;
    deep_problems += bfs > 1;
    CHECK_EQ(bdd, bfs);
    if (!i->paper)
        CHECK_EQ(library_refine(&l), bfs);
    if (f.shortest <= DEPTH)
        CHECK_EQ(bfs, f.shortest);
    else
        CHECK(bfs == -1 || bfs > DEPTH);
    if (bfs == -1 && certificate) {
        tac_protocol_check check;
        tac_protocol_options options = {0};
        REQUIRE(tac_protocol_check_certificate(l.rules, l.recording, certificate, &options, &check,
                                               NULL) == TAC_OK);
        CHECK(!check.reason && check.verdict.answer == TAC_HOLDS);
        if (check.reason)
            fprintf(stderr, "%s\n", check.reason);
        tac_protocol_check_free(&check);
    }
    if (test_failed)
        fprintf(stderr, "%s\n%s%s", rules, trace, i->paper ? "paper\n" : "");
    tac_protocol_rules_free(l.rules);
    tac_recording_free(l.recording);
    free(rules);
    free(trace);
}

TEST(engines_agree_with_the_definition_on_random_problems)
{
    for (uint64_t seed = 1; seed <= test_scale(2000) && !test_failed; seed++) {
        tac_random random;
        struct instance instance;
        tac_random_seed(&random, seed);
        random_instance(&instance, &random);
        check_instance(&instance);
        if (test_failed)
            fprintf(stderr, "seed %llu\n", (unsigned long long)seed);
    }
    printf(
        "  %zu safe, %zu unsafe (%zu of them not at once); recordings: %zu stuck, %zu conflicts\n",
        safe_problems, unsafe_problems, deep_problems, stuck_recordings, conflicts);
    CHECK(unsafe_problems > safe_problems / 20 && deep_problems > 0);
}

/* --- Two rule sets --- */

struct pair {
    struct reference *sides[2];
    int shortest[2]; /* [0]: only the first admits; DEPTH + 1 = none within the depth */
};

/* Reads one event; true when the side admits it. */
static bool admits(struct reference *f, int event)
{
    for (int k = 0; k < f->instance->lengths[event]; k++)
        if (reference_read(f, f->instance->events[event][k]) != GOES_ON)
            return false;
    return true;
}

/* Every sequence that both admit, and after it every event. */
static void enumerate_pair(struct pair *p, int depth)
{
    if (depth >= DEPTH)
        return;
    for (int e = 0; e < p->sides[0]->instance->event_count; e++) {
        bool blocked[2][LETTERS], ok[2];
        int length[2];
        for (int k = 0; k < 2; k++) {
            memcpy(blocked[k], p->sides[k]->blocked, sizeof blocked[k]);
            length[k] = p->sides[k]->length;
            ok[k] = admits(p->sides[k], e);
        }
        if (ok[0] && ok[1])
            enumerate_pair(p, depth + 1);
        for (int k = 0; k < 2; k++) {
            if (ok[k] && !ok[!k] && depth + 1 < p->shortest[k])
                p->shortest[k] = depth + 1;
            memcpy(p->sides[k]->blocked, blocked[k], sizeof blocked[k]);
            p->sides[k]->length = length[k];
        }
    }
}

/* The second set: some rules of the first, some changed, some new. */
static void random_variant(const struct instance *from, struct instance *to, tac_random *random)
{
    *to = *from;
    to->rule_count = 0;
    for (int r = 0; r < from->rule_count; r++) {
        uint64_t what = tac_random_below(random, 6);
        if (what == 0)
            continue;
        to->rules[to->rule_count] = from->rules[r];
        if (what == 1)
            to->rules[to->rule_count].permits = !from->rules[r].permits;
        if (what == 2)
            random_rule(&to->rules[to->rule_count], random);
        to->rule_count++;
    }
    if (!to->rule_count)
        random_rule(&to->rules[to->rule_count++], random);
}

static size_t equal_pairs, differing_pairs, deep_pairs;

static void check_side(const tac_protocol_difference *only, int shortest)
{
    int found = only ? (int)only->count : 0;
    equal_pairs += !found;
    differing_pairs += found > 0;
    deep_pairs += found > 1;
    if (shortest <= DEPTH)
        CHECK_EQ(found, shortest);
    else
        CHECK(!only || found > DEPTH);
}

static void check_pair(const struct instance *a, const struct instance *b)
{
    static struct reference references[2];
    const struct instance *both[2] = {a, b};
    struct pair pair = {{&references[0], &references[1]}, {DEPTH + 1, DEPTH + 1}};
    struct library l[2] = {0};
    char *texts[2], *trace = trace_text(a);
    bool live[2];
    for (int k = 0; k < 2; k++) {
        references[k] = (struct reference){.instance = both[k], .shortest = DEPTH + 1};
        reference_ground(&references[k]);
        live[k] = reference_settle(&references[k]) == GOES_ON;
        texts[k] = rules_text(both[k]);
        library_load(&l[k], texts[k], trace);
    }
    if (live[0] && live[1])
        enumerate_pair(&pair, 0);
    for (int k = 0; k < 2 && live[0] != live[1]; k++)
        for (int e = 0; live[k] && e < a->event_count; e++) {
            struct reference copy = references[k];
            if (admits(&copy, e))
                pair.shortest[k] = 1;
        }
    tac_protocol_options options = {0};
    tac_protocol_comparison found;
    REQUIRE(tac_protocol_compare(l[0].rules, l[1].rules, l[0].recording, &options, &found, NULL) ==
            TAC_OK);
    check_side(found.only_a, pair.shortest[0]);
    check_side(found.only_b, pair.shortest[1]);
    CHECK_EQ(found.a_admits_all_of_b == TAC_VIOLATED, found.only_b != NULL);
    CHECK(found.a_admits_all_of_b != TAC_INCONCLUSIVE);
    if (test_failed)
        fprintf(stderr, "A:\n%s\nB:\n%s\n%s", texts[0], texts[1], trace);
    tac_protocol_comparison_free(&found);
    for (int k = 0; k < 2; k++) {
        tac_protocol_rules_free(l[k].rules);
        tac_recording_free(l[k].recording);
        free(texts[k]);
    }
    free(trace);
}

TEST(rule_sets_compare_as_the_enumeration_of_all_sequences_says)
{
    for (uint64_t seed = 1; seed <= test_scale(600) && !test_failed; seed++) {
        tac_random random;
        static struct instance a, b;
        tac_random_seed(&random, 7000 + seed);
        random_instance(&a, &random);
        a.paper = false;
        random_variant(&a, &b, &random);
        check_pair(&a, &b);
        if (test_failed)
            fprintf(stderr, "seed %llu\n", (unsigned long long)seed);
    }
    printf("  directions without a difference %zu, with one %zu (%zu longer than one event)\n",
           equal_pairs, differing_pairs, deep_pairs);
}
