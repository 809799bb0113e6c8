/* Which runs of a set an analysis looks at. */
#include "base/data/text.h"
#include "mining/runs/runs.h"

void collect_runs(const struct tac_runs *runs, uint32_t cluster, bool merge, struct run_ids *out)
{
    for (uint32_t i = 0; i < runs->list.count; i++) {
        uint32_t label = runs->list.at[i].cluster;
        bool failed = label != TAC_RUN_PASSED && label != TAC_RUN_UNLABELLED;
        if (label == cluster || (merge && failed && cluster != TAC_RUN_PASSED))
            tac_vec_push(&out->at, i);
    }
}

uint32_t find_cluster(const struct tac_runs *runs, const char *name)
{
    uint32_t found = tac_names_find(&runs->clusters, name);
    if (found == TAC_NONE && strcmp(name, "pass") == 0)
        return TAC_RUN_PASSED;
    char *end = tac_format(" at %s", name);
    for (uint32_t c = 1; c < runs->clusters.count && found == TAC_NONE; c++)
        if (runs->cluster_size.at[c] && tac_ends_with(runs->clusters.text[c], end))
            found = c;
    free(end);
    return found;
}
