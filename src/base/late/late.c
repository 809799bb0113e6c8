#include "base/late/late.h"
#include <dlfcn.h>
#include <string.h>

/* Whole or not at all: the pointers are set when every name has been found. */
static tac_status find_all(const struct tac_late *late, void *library, tac_error *err)
{
    for (size_t i = 0; late->names[i]; i++)
        if (!dlsym(library, late->names[i]))
            return tac_fail(err, TAC_E_MISSING,
                            "%s has no function '%s'; install Debian's package '%s' anew",
                            late->file, late->names[i], late->package);
    for (size_t i = 0; late->names[i]; i++) {
        void *function = dlsym(library, late->names[i]);
        memcpy((char *)late->calls + i * sizeof function, &function, sizeof function);
    }
    return TAC_OK;
}

static tac_status open_library(struct tac_late *late, tac_error *err)
{
    void *library = dlopen(late->file, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        const char *why = dlerror();
        return tac_fail(err, TAC_E_MISSING,
                        "the library %s cannot be opened; install Debian's package '%s' (%s)",
                        late->file, late->package, why ? why : "no reason is known");
    }
    tac_status status = find_all(late, library, err);
    if (status != TAC_OK)
        dlclose(library);
    return status;
}

tac_status tac_late_open(struct tac_late *late, tac_error *err)
{
    pthread_mutex_lock(&late->lock);
    tac_status status = late->open ? TAC_OK : open_library(late, err);
    late->open = status == TAC_OK;
    pthread_mutex_unlock(&late->lock);
    return status;
}
