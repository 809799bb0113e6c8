/* Packages, processes, media sessions, parts and dates: the small answers. */
#include "device/android/dump/parse.h"
#include "fuzz_target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data;
    size_t count = 0, part_size = 0;
    free(android_only_package(text, size, &count));
    free(android_read_launcher(text, size, "com.ex"));
    (void)android_read_user_id(text, size);
    char version[80];
    android_read_app_version(text, size, version, sizeof version);
    (void)android_media_plays(text, size);
    if (android_read_processor_time(text, size) < 0 || android_date(text, size) < 0)
        abort();
    const char *part = android_part(text, size, "net", &part_size);
    if (part_size && (part < text || part_size > size - (size_t)(part - text)))
        abort();
    return 0;
}
