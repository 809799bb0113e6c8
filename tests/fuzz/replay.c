/* Feeds every file of a corpus folder to a fuzz target: the corpus as an ordinary test. */
#include "fuzz_target.h"
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

static void replay(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file) {
        perror(path);
        exit(1);
    }
    uint8_t *data = malloc(1 << 24);
    size_t size = data ? fread(data, 1, 1 << 24, file) : 0;
    fclose(file);
    /* An exact copy, so that a read past the end is seen by the sanitizer. */
    uint8_t *exact = malloc(size ? size : 1);
    if (!data || !exact)
        exit(1);
    for (size_t i = 0; i < size; i++)
        exact[i] = data[i];
    free(data);
    LLVMFuzzerTestOneInput(exact, size);
    free(exact);
}

int main(int argc, char **argv)
{
    DIR *folder = argc > 1 ? opendir(argv[1]) : NULL;
    if (!folder) {
        fprintf(stderr, "usage: replay CORPUS_FOLDER\n");
        return 1;
    }
    unsigned replayed = 0;
    for (struct dirent *entry; (entry = readdir(folder));) {
        if (entry->d_name[0] == '.')
            continue;
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", argv[1], entry->d_name);
        replay(path);
        replayed++;
    }
    closedir(folder);
    printf("%u passed, 0 failed\n", replayed);
    return replayed ? 0 : 1;
}
