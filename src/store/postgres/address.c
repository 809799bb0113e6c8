/* "postgresql://USER@HOST/DB#CAMPAIGN": what libpq gets and what people see.
 *
 * A password in an address would stand in the list of processes, in shell histories and in every
 * message that names the place; it is refused before anything is shown or sent, and the refusal
 * does not repeat the address. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "store/postgres/postgres.h"
#include <string.h>

enum { LONGEST_NAME = 100 };

static tac_status check_campaign(const char *name, tac_error *err)
{
    size_t length = strlen(name);
    if (!length || length > LONGEST_NAME ||
        strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-") != length)
        return tac_fail(
            err, TAC_E_USAGE,
            "the name of a campaign, behind the '#' of an address, has 1 to %d letters, "
            "digits, '.', '_' or '-'",
            LONGEST_NAME);
    return TAC_OK;
}

static tac_status check_connection(const char *connection, tac_error *err)
{
    char *ignored = NULL; /* libpq's words may repeat a part of the address */
    PQconninfoOption *options = libpq.conninfoParse(connection, &ignored);
    libpq.freemem(ignored);
    if (!options)
        return tac_fail(err, TAC_E_USAGE,
                        "the address of the database cannot be read; write "
                        "postgresql://USER@HOST:PORT/DB#CAMPAIGN, special characters as %%XX");
    bool secret = false;
    for (const PQconninfoOption *option = options; option->keyword; option++)
        secret |= strstr(option->keyword, "password") && option->val && *option->val;
    libpq.conninfoFree(options);
    if (secret)
        return tac_fail(err, TAC_E_USAGE,
                        "the address of the database holds a password, which others would see; put "
                        "it into ~/.pgpass, a service file or PGPASSWORD and leave it out");
    return TAC_OK;
}

tac_status postgres_address(const char *address, bool needs_campaign, struct postgres_store *out,
                            tac_error *err)
{
    const char *hash = strchr(address, '#');
    char *connection = tac_strndup(address, hash ? (size_t)(hash - address) : strlen(address));
    tac_status status = libpq_open(err); /* whatever is done with a database begins here */
    if (status == TAC_OK)
        status = check_connection(connection, err);
    if (status == TAC_OK && hash)
        status = check_campaign(hash + 1, err);
    else if (status == TAC_OK && needs_campaign)
        status = tac_fail_at(err, TAC_E_USAGE, address, 0, 0,
                             "does not name a campaign; put '#' and its name behind it");
    if (status != TAC_OK) {
        free(connection);
        return status;
    }
    out->connection = connection;
    out->address = tac_strdup(address);
    out->campaign = hash ? tac_strdup(hash + 1) : NULL;
    assert(!needs_campaign || out->campaign);
    return TAC_OK;
}
