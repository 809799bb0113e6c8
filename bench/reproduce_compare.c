/* Executions until a minimal sequence is found: the steered search against plain delta debugging
 * (ddmin with a cache of candidates), on the same runs, by the same rule (2 of 3 tries), in the
 * same process. reproduce_compare APP RUNS STEPS SEED FOLDER: random runs of the app, then for each
 * cluster of crashes the longest run that fails again. */
#include "reproduce/reproduce.h"
#include "store/store.h"
#include "tactus/mining.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 256 };

enum { KEPT = 6, LONGEST = 50 };

/* The longest crashing runs of a cluster, of at most LONGEST events: in an app where chance crashes
 * too, longer ones rarely come to their end again. */
struct longest {
    char cluster[512];
    int64_t run[KEPT], steps[KEPT];
};

struct collected {
    struct longest at[MOST];
    size_t count;
};

static void stop(const tac_error *err)
{
    char text[1600];
    fprintf(stderr, "%s\n", tac_error_text(err, text, sizeof text));
    exit(4);
}

static bool collect(void *context, const tac_store_run *run)
{
    struct collected *found = context;
    if (strcmp(run->verdict, "crash") != 0)
        return true;
    json_t *details = json_loads(run->details, 0, NULL);
    const json_t *stack = json_object_get(details, "stack");
    const char *top = json_string_value(json_array_get(stack, 0));
    size_t i = 0;
    while (i < found->count && strcmp(found->at[i].cluster, top) != 0)
        i++;
    if (i == found->count && i < MOST)
        snprintf(found->at[found->count++].cluster, sizeof found->at->cluster, "%s", top);
    size_t to = KEPT;
    struct longest *in = &found->at[i < MOST ? i : 0];
    while (to > 0 && run->steps > in->steps[to - 1])
        to--;
    for (size_t k = KEPT - 1; k > to && run->steps <= LONGEST; k--) {
        in->run[k] = in->run[k - 1];
        in->steps[k] = in->steps[k - 1];
    }
    if (i < MOST && to < KEPT && run->steps <= LONGEST) {
        in->run[to] = run->id;
        in->steps[to] = run->steps;
    }
    json_decref(details);
    return true;
}

static uint64_t search(const char *campaign, const char *folder, const char *uri, int64_t run,
                       bool plain, uint64_t *length)
{
    tac_reproduce_options options = {.campaign = campaign,
                                     .folder = folder,
                                     .run = run,
                                     .devices = &(tac_run_device){.uri = uri},
                                     .device_count = 1,
                                     .plain = plain};
    tac_reproduce_result *result;
    tac_error err;
    if (tac_reproduce(&options, &result, &err) != TAC_OK)
        stop(&err);
    const tac_reproduction *cause = &result->causes[0];
    uint64_t executions = cause->reproduced ? cause->search_executions : 0;
    *length = cause->steps_after;
    tac_reproduce_free(result);
    return executions;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void compare(const struct collected *found, const char *campaign, const char *uri)
{
    double ratios[MOST];
    size_t count = 0;
    printf("%-44s %6s %14s %14s %6s\n", "cluster", "events", "ddmin", "reproduce", "ratio");
    for (size_t i = 0; i < found->count; i++) {
        char folder[2][600];
        uint64_t length[2], executions[2] = {0};
        long long events = 0;
        for (size_t k = 0; k < KEPT && found->at[i].steps[k] && !(executions[0] && executions[1]);
             k++)
            for (int plain = 0; plain < 2 && (!plain || executions[0]); plain++) {
                snprintf(folder[plain], sizeof folder[plain], "%.500s/search-%zu-%zu-%d", campaign,
                         i, k, plain);
                events = (long long)found->at[i].steps[k];
                executions[plain] = search(campaign, folder[plain], uri, found->at[i].run[k], plain,
                                           &length[plain]);
            }
        if (!executions[0] || !executions[1]) {
            printf("%-44.44s  did not fail again\n", found->at[i].cluster);
            continue;
        }
        ratios[count] = (double)executions[0] / (double)executions[1];
        printf("%-44.44s %6lld %6llu (to %2llu) %6llu (to %2llu) %6.2f\n", found->at[i].cluster,
               events, (unsigned long long)executions[1], (unsigned long long)length[1],
               (unsigned long long)executions[0], (unsigned long long)length[0], ratios[count]);
        count++;
    }
    qsort(ratios, count, sizeof *ratios, ascending);
    if (count)
        printf("median ratio over %zu clusters: %.2f (at most 0.33 is wanted)\n", count,
               count % 2 ? ratios[count / 2] : (ratios[count / 2 - 1] + ratios[count / 2]) / 2);
}

int main(int argc, char **argv)
{
    if (argc != 6) {
        fprintf(stderr, "usage: reproduce_compare APP RUNS STEPS SEED FOLDER\n");
        return 2;
    }
    char uri[4200];
    tac_error err;
    static struct collected found;
    tac_run_summary *summary = NULL;
    tac_store *store;
    snprintf(uri, sizeof uri, "sim:%s", argv[1]);
    tac_run_options options = {.devices = &(tac_run_device){.uri = uri},
                               .device_count = 1,
                               .folder = argv[5],
                               .monkey = (uint32_t)atoi(argv[2]),
                               .monkey_steps = (uint32_t)atoi(argv[3]),
                               .parallel = 2,
                               .seed = (uint64_t)atoi(argv[4])};
    if (tac_run_campaign(&options, &summary, &err) != TAC_OK)
        stop(&err);
    tac_run_summary_free(summary);
    if (tac_store_open(argv[5], false, &store, &err) != TAC_OK ||
        tac_store_each_run(store, collect, &found, &err) != TAC_OK)
        stop(&err);
    tac_store_close(store, NULL);
    compare(&found, argv[5], uri);
    return 0;
}
