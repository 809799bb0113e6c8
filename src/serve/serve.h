/* The portal: a folder of models, requirements, properties, campaigns, traces and rules as a page
 * in a browser, and the HTTP interface behind it (docs/serve.md).
 *
 * One process, started by whoever owns the folder and for that person alone: everything asked for
 * needs a secret that is in the start address, and nothing outside of the folder is read or
 * written. Long work runs in processes of its own, which outlive the server. */
#pragma once

#include "tactus/error.h"
#include <stdint.h>

typedef struct tac_portal tac_portal;

typedef struct tac_portal_options {
    const char *folder;
    uint16_t port; /* 0 = any free one */
    /* NULL: loopback alone. Otherwise the address or name to be reached by; the three files are
     * then needed: a password in a file that only its owner can read, and the certificate and key
     * of TLS, as PEM. */
    const char *listen;
    const char *password_file, *certificate_file, *key_file;
    const char *program; /* the tactus program, which does the long work */
} tac_portal_options;

/* Starts answering, in threads of the portal's own. Texts are copied. */
tac_status tac_portal_start(const tac_portal_options *options, tac_portal **out, tac_error *err);
/* The address that opens the page, with the secret in it. Borrowed. */
const char *tac_portal_address(const tac_portal *portal);
/* Ends what is being answered; jobs go on. NULL is fine. */
void tac_portal_stop(tac_portal *portal);
