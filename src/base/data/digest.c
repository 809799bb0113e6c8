/* SHA-256 by nettle. See digest.h. */
#include "base/data/digest.h"
#include "base/data/alloc.h"
#include <errno.h>
#include <fcntl.h>
#include <nettle/sha2.h>
#include <stdio.h>
#include <unistd.h>

static void as_text(struct sha256_ctx *context, char text[TAC_DIGEST_TEXT])
{
    uint8_t digest[SHA256_DIGEST_SIZE];
    sha256_digest(context, sizeof digest, digest);
    for (size_t i = 0; i < sizeof digest; i++)
        snprintf(text + 2 * i, 3, "%02x", digest[i]);
}

void tac_digest_bytes(const void *data, size_t size, char text[TAC_DIGEST_TEXT])
{
    struct sha256_ctx context;
    sha256_init(&context);
    sha256_update(&context, size, data);
    as_text(&context, text);
}

struct tac_digest {
    struct sha256_ctx context;
};

tac_digest *tac_digest_new(void)
{
    tac_digest *digest = tac_alloc(sizeof *digest);
    sha256_init(&digest->context);
    return digest;
}

void tac_digest_add(tac_digest *digest, const void *data, size_t size)
{
    sha256_update(&digest->context, size, data);
}

void tac_digest_end(tac_digest *digest, char text[TAC_DIGEST_TEXT])
{
    as_text(&digest->context, text);
    free(digest);
}

tac_status tac_digest_file(const char *path, char text[TAC_DIGEST_TEXT], uint64_t *size,
                           tac_error *err)
{
    uint8_t buffer[1 << 16];
    struct sha256_ctx context;
    sha256_init(&context);
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0)
        return tac_fail_errno(err, errno, path, "cannot read");
    uint64_t total = 0;
    ssize_t got;
    while ((got = read(file, buffer, sizeof buffer)) > 0 || (got < 0 && errno == EINTR)) {
        if (got < 0)
            continue;
        sha256_update(&context, (size_t)got, buffer);
        total += (uint64_t)got;
    }
    tac_status status = got < 0 ? tac_fail_errno(err, errno, path, "cannot read") : TAC_OK;
    close(file);
    if (status == TAC_OK) {
        as_text(&context, text);
        *size = total;
    }
    return status;
}
