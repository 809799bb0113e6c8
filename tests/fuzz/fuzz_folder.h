/* A folder of this process for targets whose parsers want one; removed at the end. */
#ifndef FUZZ_FOLDER_H
#define FUZZ_FOLDER_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char fuzz_folder_path[64];

static void fuzz_remove_folder(void)
{
    static const char *const names[] = {
        "traces/000000.jsonl", "traces",           "index.sqlite", "index.sqlite-wal",
        "index.lock",          "index.sqlite-shm", "input",        "automations.yaml"};
    char path[128];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(path, sizeof path, "%s/%s", fuzz_folder_path, names[i]);
        remove(path);
    }
    rmdir(fuzz_folder_path);
}

static inline const char *fuzz_folder(void)
{
    if (!*fuzz_folder_path) {
        strcpy(fuzz_folder_path,
               access("/dev/shm", W_OK) ? "/tmp/fuzz-XXXXXX" : "/dev/shm/fuzz-XXXXXX");
        if (!mkdtemp(fuzz_folder_path))
            abort();
        atexit(fuzz_remove_folder);
    }
    return fuzz_folder_path;
}

static inline void fuzz_file(const char *folder, const char *name, const uint8_t *data, size_t size)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    if (!file || fwrite(data, 1, size, file) != size || fclose(file))
        abort();
}

#endif
