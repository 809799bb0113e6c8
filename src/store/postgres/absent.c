/* What stands in the place of the PostgreSQL backend where the program was built without libpq: it
 * says so. */
#include "store/backend.h"

static tac_status refuse(tac_error *err)
{
    return tac_fail(err, TAC_E_MISSING,
                    "this program was built without PostgreSQL (libpq); build it with Debian's "
                    "package libpq-dev, or keep the campaign in a folder");
}

static tac_status open_store(const char *where, tac_store_mode mode, void **data, tac_error *err)
{
    (void)where; /* it may hold a password */
    (void)mode;
    (void)data;
    return refuse(err);
}

static bool is_away(const char *address)
{
    (void)address;
    return false;
}

static tac_status list(const char *address,
                       bool (*visit)(void *context, const tac_store_campaign *campaign),
                       void *context, tac_error *err)
{
    (void)address;
    (void)visit;
    (void)context;
    return refuse(err);
}

static tac_status remove_campaign(const char *address, bool force, tac_error *err)
{
    (void)address;
    (void)force;
    return refuse(err);
}

const struct store_backend store_postgres = {.name = "postgresql",
                                             .open = open_store,
                                             .is_away = is_away,
                                             .list = list,
                                             .remove = remove_campaign};
