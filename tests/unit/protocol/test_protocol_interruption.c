/* A watch that says stop: every question that takes one returns TAC_E_INTERRUPTED, leaves no file
 * and no answer. It stops at once, and at each later look, until a question is through. */
#include "protocol/protocol.h"
#include "tactus_test.h"
#include <unistd.h>

struct stopping_watch {
    tac_watch watch;
    size_t looks, allowed;
};

static bool look(tac_watch *self, const char *what, uint64_t done, uint64_t total)
{
    struct stopping_watch *w = (struct stopping_watch *)self;
    (void)what;
    (void)done;
    (void)total;
    return w->looks++ < w->allowed;
}

struct problem_pair {
    tac_protocol_rules *rules, *other;
    tac_recording *recording;
};

static void load(struct problem_pair *p)
{
    const char *root = getenv("TACTUS_SOURCE_ROOT");
    char spec[1024], unsound[1024], trace[1024];
    if (!root)
        SKIP("TACTUS_SOURCE_ROOT is not set");
    snprintf(spec, sizeof spec, "%s/examples/protocol/remover.spec", root);
    snprintf(unsound, sizeof unsound, "%s/examples/protocol/remover-unsound.spec", root);
    snprintf(trace, sizeof trace, "%s/examples/protocol/fixed.jsonl", root);
    const char *files[] = {spec}, *others[] = {unsound};
    REQUIRE(tac_protocol_rules_read(files, 1, &p->rules, NULL, NULL) == TAC_OK);
    REQUIRE(tac_protocol_rules_read(others, 1, &p->other, NULL, NULL) == TAC_OK);
    REQUIRE(tac_recording_read(trace, &p->recording, NULL) == TAC_OK);
}

static void unload(struct problem_pair *p)
{
    tac_protocol_rules_free(p->rules);
    tac_protocol_rules_free(p->other);
    tac_recording_free(p->recording);
}

enum question { VALIDATE, VERIFY, CERTIFY, CHECK_CERTIFICATE, COMPARE, QUESTIONS };

/* What one of the questions answers. */
struct outcome {
    tac_protocol_result result;
    tac_protocol_comparison comparison;
    tac_protocol_check check;
};

static bool is_empty(const struct outcome *outcome)
{
    return !outcome->result.memory && !outcome->comparison.memory && !outcome->check.memory;
}

static void forget(struct outcome *outcome)
{
    tac_protocol_result_free(&outcome->result);
    tac_protocol_comparison_free(&outcome->comparison);
    tac_protocol_check_free(&outcome->check);
}

static tac_status ask(enum question question, const struct problem_pair *p, const char *certificate,
                      tac_watch *watch, struct outcome *out)
{
    tac_protocol_options options = {.watch = watch};
    switch (question) {
    case VALIDATE:
        return tac_protocol_validate(p->rules, p->recording, &options, &out->result, NULL);
    case CERTIFY:
        options.certificate = certificate;
        return tac_protocol_verify(p->rules, p->recording, &options, &out->result, NULL);
    case CHECK_CERTIFICATE:
        return tac_protocol_check_certificate(p->rules, p->recording, certificate, &options,
                                              &out->check, NULL);
    case COMPARE:
        return tac_protocol_compare(p->rules, p->other, p->recording, &options, &out->comparison,
                                    NULL);
    default:
        return tac_protocol_verify(p->rules, p->recording, &options, &out->result, NULL);
    }
}

TEST(a_stop_is_seen_at_every_look)
{
    struct problem_pair p = {0};
    load(&p);
    for (int question = 0; question < QUESTIONS; question++) {
        const char *path = test_temporary("proof.cert");
        struct outcome outcome = {.result = {.memory = NULL}};
        if (question == CHECK_CERTIFICATE)
            REQUIRE(ask(CERTIFY, &p, path, NULL, &outcome) == TAC_OK);
        forget(&outcome);
        size_t stops = 0;
        for (size_t allowed = 0; allowed < 1000; allowed++) {
            struct stopping_watch w = {.watch = {.tick = look}, .allowed = allowed};
            tac_status status = ask((enum question)question, &p, path, &w.watch, &outcome);
            if (status == TAC_OK) {
                CHECK(!is_empty(&outcome));
                forget(&outcome);
                break;
            }
            CHECK_EQ(status, TAC_E_INTERRUPTED);
            CHECK(is_empty(&outcome));
            if (question == CERTIFY)
                CHECK(access(path, F_OK) != 0);
            stops++;
        }
        CHECK(stops > 0);
        unlink(path);
    }
    unload(&p);
}
