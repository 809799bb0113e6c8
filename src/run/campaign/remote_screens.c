/* What the screens of the runs showed (screens/, see run/kept), for a campaign in a database. All
 * workers see the same screens and keep them under the same names, so each is handed over in a
 * transaction of its own: whoever is first has kept it, and a second one that fails has lost
 * nothing. They explain runs and decide none: a database that refuses them is not a failure. */
#include "base/data/alloc.h"
#include "run/campaign/remote.h"
#include <dirent.h>
#include <string.h>
#include <unistd.h>

static bool is_handed(const struct campaign_remote *remote, const char *name)
{
    for (size_t i = 0; i < remote->screens.count; i++)
        if (!strcmp(remote->screens.at[i], name))
            return true;
    return false;
}

static void hand_over(struct run_campaign *campaign, const char *entry)
{
    const struct campaign_remote *remote = campaign->remote;
    char *name = tac_format("screens/%s", entry);
    char *path = tac_format("%s/%s", remote->scratch, name);
    char *there = tac_format("%s/screen.there", remote->scratch);
    tac_error ignored;
    if (tac_store_get_file(campaign->store, name, there, &ignored) != TAC_OK) {
        tac_store_rollback(campaign->store);
        if (tac_store_put_file(campaign->store, name, path, &ignored) != TAC_OK ||
            tac_store_commit(campaign->store, &ignored) != TAC_OK)
            tac_store_rollback(campaign->store);
    }
    unlink(there);
    free(there);
    free(path);
    free(name);
}

void remote_hand_over_screens(struct run_campaign *campaign)
{
    struct campaign_remote *remote = campaign->remote;
    char *folder = tac_format("%s/screens", remote->scratch);
    DIR *entries = opendir(folder);
    for (struct dirent *entry; entries && (entry = readdir(entries));) {
        size_t length = strlen(entry->d_name);
        bool whole = length > 5 && !strcmp(entry->d_name + length - 5, ".json");
        if (!whole || *entry->d_name == '.' || is_handed(remote, entry->d_name))
            continue;
        hand_over(campaign, entry->d_name);
        tac_vec_push(&remote->screens, tac_strdup(entry->d_name));
    }
    if (entries)
        closedir(entries);
    free(folder);
}
