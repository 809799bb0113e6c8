/* Arena, vectors, strings, maps, names and bit sets against plain arrays. */
#include "base/data/arena.h"
#include "base/data/bits.h"
#include "base/data/map.h"
#include "base/data/random.h"
#include "base/data/str.h"
#include "base/data/vec.h"
#include "base/io/pages.h"
#include "base/keep/spill.h"
#include "tactus_test.h"

TEST(arena_memory_is_aligned_and_apart)
{
    tac_arena arena = {0};
    char *before = NULL;
    for (size_t size = 1; size < 3000; size += 7) {
        char *memory = tac_arena_alloc(&arena, size);
        CHECK_EQ((uintptr_t)memory % _Alignof(max_align_t), 0);
        memset(memory, (int)(size & 0xff), size);
        if (before)
            CHECK_EQ(before[0], (char)((size - 7) & 0xff));
        before = memory;
    }
    CHECK_STR(tac_arena_format(&arena, "%d-%s", 7, "x"), "7-x");
    CHECK_STR(tac_arena_strndup(&arena, "abcdef", 3), "abc");
    CHECK(tac_arena_alloc(&arena, 5 << 20) != NULL);
    tac_arena_free(&arena);
    CHECK_EQ(arena.used, 0);
}

TEST(vectors_keep_order_while_they_grow)
{
    TAC_VEC(int) numbers = {0};
    for (int i = 0; i < 1000; i++)
        tac_vec_push(&numbers, i);
    int more[] = {7, 8};
    tac_vec_append(&numbers, more, 2);
    CHECK_EQ(numbers.count, 1002);
    CHECK_EQ(numbers.at[500], 500);
    CHECK_EQ(tac_vec_last(&numbers), 8);
    CHECK_EQ(tac_vec_pop(&numbers), 8);
    tac_vec_free(&numbers);
}

TEST(strings_stop_at_their_cap)
{
    tac_str text = {.cap = 10};
    CHECK_STR(tac_str_text(&text), "");
    tac_str_addf(&text, "%d", 12345);
    tac_str_add(&text, "67890");
    CHECK(!text.overflow);
    tac_str_add_char(&text, 'x');
    CHECK(text.overflow);
    CHECK_STR(tac_str_text(&text), "1234567890");
    tac_str_clear(&text);
    tac_str_add(&text, "again");
    char *taken = tac_str_take(&text);
    CHECK_STR(taken, "again");
    CHECK_STR(tac_str_text(&text), "");
    free(taken);
    tac_str_free(&text);
}

TEST(u64map_agrees_with_a_list)
{
    tac_random random;
    tac_random_seed(&random, 1);
    tac_u64map map = {0};
    enum { COUNT = 2000 };
    uint64_t keys[COUNT], values[COUNT];
    size_t known = 0;
    for (size_t round = 0; round < 6000; round++) {
        uint64_t key = tac_random_below(&random, 3000) * (UINT64_MAX / 3000);
        size_t i = 0;
        while (i < known && keys[i] != key)
            i++;
        if (i == known && known == COUNT)
            continue;
        bool is_new;
        uint64_t *value = tac_u64map_at(&map, key, round, &is_new);
        CHECK_EQ(is_new, i == known);
        if (is_new) {
            keys[known] = key;
            values[known++] = round;
        }
        CHECK_EQ(*value, values[i]);
    }
    CHECK_EQ(map.count, known);
    CHECK(!tac_u64map_find(&map, 12345));
    CHECK(tac_u64map_find(&map, keys[known / 2]) != NULL);
    size_t visited = 0;
    const tac_u64map_entry *entry;
    for (size_t at = 0; (entry = tac_u64map_next(&map, &at)); visited++) {
        size_t i = 0;
        while (i < known && keys[i] != entry->key)
            i++;
        CHECK(i < known && values[i] == entry->value);
    }
    CHECK_EQ(visited, known);
    tac_u64map_free(&map);
}

TEST(u64map_has_a_place_for_key_0)
{
    tac_u64map map = {0};
    size_t at = 0;
    bool is_new;
    CHECK(!tac_u64map_next(&map, &at) && !tac_u64map_find(&map, 0));
    tac_u64map_at(&map, 7, 70, NULL);
    CHECK(!tac_u64map_find(&map, 0));
    CHECK_EQ(*tac_u64map_at(&map, 0, 5, &is_new), 5);
    CHECK(is_new);
    CHECK_EQ(*tac_u64map_at(&map, 0, 6, &is_new), 5);
    CHECK(!is_new);
    for (uint64_t key = 100; key < 200; key++) /* grows */
        tac_u64map_at(&map, key, key, NULL);
    CHECK_EQ(*tac_u64map_find(&map, 0), 5);
    CHECK_EQ(map.count, 102);
    at = 0;
    CHECK_EQ(tac_u64map_next(&map, &at)->key, 0);
    tac_u64map_free(&map);
}

TEST(pages_are_zero_and_refuse_what_cannot_be)
{
    static const size_t sizes[] = {0, 1, 1000, (1 << 20) - 64, 1 << 20, 5 << 20};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        unsigned char *pages = tac_pages_take(1, sizes[i]);
        CHECK(pages != NULL);
        CHECK_EQ((uintptr_t)pages % 16, 0);
        size_t zeros = 0;
        for (size_t k = 0; k < sizes[i]; k++)
            zeros += pages[k] == 0;
        CHECK_EQ(zeros, sizes[i]);
        memset(pages, 0xaa, sizes[i]);
        tac_pages_give(pages);
    }
    CHECK(!tac_pages_take(SIZE_MAX, 2));
    CHECK(!tac_pages_take(1, SIZE_MAX));
    tac_pages_give(NULL);
}

TEST(names_get_dense_ids_and_keep_them)
{
    tac_names names = {0};
    CHECK_EQ(tac_names_find(&names, "x"), TAC_NONE);
    char text[32];
    for (uint32_t i = 0; i < 5000; i++) {
        snprintf(text, sizeof text, "name%u", i);
        CHECK_EQ(tac_names_intern(&names, text), i);
    }
    CHECK_EQ(tac_names_intern(&names, "name42"), 42);
    CHECK_EQ(tac_names_find(&names, "name4999"), 4999);
    CHECK_STR(names.text[17], "name17");
    CHECK_EQ(tac_names_intern_bytes(&names, "a\0b", 3), 5000);
    CHECK_EQ(tac_names_intern_bytes(&names, "a\0c", 3), 5001);
    CHECK_EQ(tac_names_find(&names, "a"), TAC_NONE);
    tac_names_free(&names);
}

TEST(bits_are_counted_and_found)
{
    uint64_t *set = tac_bits_new(200);
    size_t wanted[] = {0, 63, 64, 130, 199};
    for (size_t i = 0; i < 5; i++)
        tac_bits_set(set, wanted[i]);
    CHECK_EQ(tac_bits_count(set, tac_bits_words(200)), 5);
    size_t at = 0;
    for (size_t i = 0; i < 5; i++, at++) {
        at = tac_bits_next(set, 200, at);
        CHECK_EQ(at, wanted[i]);
    }
    CHECK_EQ(tac_bits_next(set, 200, 200), SIZE_MAX);
    tac_bits_clear(set, 199);
    CHECK(!tac_bits_get(set, 199));
    CHECK_EQ(tac_bits_next(set, 200, 131), SIZE_MAX);
    free(set);
}

TEST(an_array_larger_than_its_share_of_memory_moves_to_a_file)
{
    tac_spill spill = {.heap_limit = 1000};
    tac_error err;
    for (uint32_t i = 0; i < 300000; i++) {
        uint32_t value = i * 2654435761u;
        REQUIRE(tac_spill_append(&spill, &value, 1, &err) == TAC_OK);
        CHECK_EQ(spill.file != 0, i >= 1000);
    }
    bool same = true;
    for (uint32_t i = 0; i < spill.count; i++)
        same = same && spill.at[i] == i * 2654435761u;
    CHECK(same);
    CHECK_EQ(spill.count, 300000);
    tac_spill_free(&spill);
    CHECK_EQ(spill.count, 0);
}

TEST(without_a_folder_for_its_file_an_array_stays_as_it_is)
{
    tac_spill spill = {.heap_limit = 10};
    tac_error err = {0};
    char text[300];
    setenv("TMPDIR", "/nonexistent", 1);
    static const uint32_t values[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    CHECK_EQ(tac_spill_append(&spill, values, 10, &err), TAC_OK);
    CHECK_EQ(tac_spill_append(&spill, values + 10, 1, &err), TAC_E_IO);
    CHECK_STR(tac_error_text(&err, text, sizeof text),
              "/nonexistent: cannot keep a large set of runs in a temporary file (TMPDIR chooses "
              "another folder): No such file or directory");
    CHECK_EQ(spill.count, 10);
    CHECK_EQ(spill.at[9], 9);
    unsetenv("TMPDIR");
    CHECK_EQ(tac_spill_append(&spill, values + 10, 1, &err), TAC_OK);
    CHECK_EQ(spill.at[10], 10);
    tac_spill_free(&spill);
}
