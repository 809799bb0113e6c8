/* One identity per defect: the stacks of thirty defects as Chromium 156, Firefox 153 ESR and
 * WebKitGTK 2.50 wrote them (tests/data/stacks), each in a plain build, in one with other names of
 * files, and with ten lines above. */
#include "base/data/alloc.h"
#include "base/data/map.h"
#include "base/data/text.h"
#include "findings/identity.h"
#include "mining/mining.h"
#include "tactus_test.h"
#include <jansson.h>

static char *read_file(const char *name)
{
    char *path = tac_format("%s/tests/data/stacks/%s", getenv("TACTUS_SOURCE_ROOT"), name);
    FILE *file = fopen(path, "rb");
    char *text = tac_calloc(1 << 20, 1);
    if (!file || !fread(text, 1, (1 << 20) - 1, file))
        test_fail(__FILE__, __LINE__, "%s cannot be read", path);
    if (file)
        fclose(file);
    free(path);
    return text;
}

/* The place of the topmost frame that does not make the exception, as a driver reads it. */
static char *place_of(const char *source, const char *exception, const char *stack)
{
    char *copy = tac_strdup(stack), *rest = NULL;
    tac_str out = {0};
    for (char *line = strtok_r(copy, "\n", &rest); line && !out.length;
         line = strtok_r(NULL, "\n", &rest)) {
        struct finding_frame frame;
        line += strspn(line, " ");
        if (!finding_script_frame(line, &frame) ||
            (frame.name_length == strlen(exception) &&
             !strncmp(frame.name, exception, frame.name_length)))
            continue;
        char *file = tac_strndup(frame.url, frame.url_length);
        finding_source_place(source, file, frame.line, frame.column, &out);
        free(file);
    }
    free(copy);
    return tac_str_take(&out);
}

struct engines {
    json_t *rows;
    char *plain, *shifted;
};

static struct engines load(void)
{
    struct engines all = {.plain = read_file("defects.js")};
    char *rows = read_file("engines.json");
    all.rows = json_loads(rows, 0, NULL);
    all.shifted =
        tac_format("%s%s", "\n// more\n\n// more\n\n// more\n\n// more\n\n// more\n", all.plain);
    free(rows);
    return all;
}

static const char *word(const json_t *row, size_t i)
{
    return json_string_value(json_array_get(row, i));
}

/* How many of the defects have one identity in all engines and builds, which no other has. */
static size_t count_whole(const struct engines *all, bool with_source, bool tell)
{
    tac_names defects = {0}, ids = {0};
    char *of[64] = {NULL};
    bool whole[64], taken[64];
    memset(whole, 1, sizeof whole);
    for (size_t i = 0; i < json_array_size(all->rows); i++) {
        const json_t *row = json_array_get(all->rows, i);
        char id[TAC_FINDING_ID];
        const char *source = strcmp(word(row, 1), "shifted") ? all->plain : all->shifted;
        char *place = with_source ? place_of(source, word(row, 3), word(row, 4)) : NULL;
        tac_stack_finding(word(row, 3), word(row, 4), place, id);
        uint32_t defect = tac_names_intern(&defects, word(row, 2));
        if (tell && of[defect] && strcmp(of[defect], id))
            printf("%s in %s, %s: %s\n", word(row, 2), word(row, 0), word(row, 1), place);
        if (!of[defect])
            of[defect] = tac_strdup(id);
        whole[defect] &= !strcmp(of[defect], id);
        free(place);
    }
    size_t count = 0;
    for (size_t d = 0; d < defects.count; d++) {
        size_t before = ids.count;
        taken[d] = tac_names_intern(&ids, of[d]) < before;
        if (taken[d] && tell)
            printf("%s has another's\n", defects.text[d]);
        count += whole[d] && !taken[d];
        free(of[d]);
    }
    CHECK_EQ(defects.count, 30);
    tac_names_free(&defects);
    tac_names_free(&ids);
    return count;
}

static void unload(struct engines *all)
{
    json_decref(all->rows);
    free(all->plain);
    free(all->shifted);
}

TEST(a_defect_has_one_identity_in_all_engines_and_builds)
{
    struct engines all = load();
    CHECK_EQ(count_whole(&all, true, true), 30);
    unload(&all);
}

/* WebKit does not name functions that are assigned to members, or computed; two defects in one
 * function are one. */
TEST(without_the_source_functions_decide)
{
    struct engines all = load();
    CHECK_EQ(count_whole(&all, false, false), 19);
    unload(&all);
}

static void check_file(int line, const char *place, const char *wanted)
{
    tac_str out = {0};
    finding_file(&out, place);
    if (strcmp(tac_str_text(&out), wanted))
        test_fail(__FILE__, line, "'%s' gives '%s', not '%s'", place, tac_str_text(&out), wanted);
    tac_str_free(&out);
}

TEST(files_lose_what_builds_give_them)
{
    check_file(__LINE__, "/assets/board-3fa9c1d2.js?v=8:6:21", "board.js");
    check_file(__LINE__, "http://h/js/main.0123456789abcdef0123.chunk.js", "main.chunk.js");
    check_file(__LINE__, "/assets/index-BdkF9a2c.js:1:2", "index.js");
    check_file(__LINE__, "/assets/index-bdkFxaQc.js:1:2", "index.js");
    check_file(__LINE__, "/assets/board-OpenView.js:1:2", "board-OpenView.js");
    check_file(__LINE__, "/cart-checkout2.js", "cart-checkout2.js");
    check_file(__LINE__, "/facade.js:3", "facade.js");
    check_file(__LINE__, "/a.defaced.js", "a.defaced.js");
    check_file(__LINE__, "deadbeef1", "deadbeef1");
    check_file(__LINE__, "/?q=/x.js:1:2", "");
}

static void check_place(int line, const char *source, uint32_t at, uint32_t column,
                        const char *wanted)
{
    tac_str out = {0};
    bool found = finding_source_place(source, "f.js", at, column, &out);
    if (strcmp(found ? tac_str_text(&out) : "none", wanted))
        test_fail(__FILE__, line, "'%s', not '%s'", tac_str_text(&out), wanted);
    tac_str_free(&out);
}

TEST(statements_are_told_apart)
{
    const char *source = "function f(a) {\n"
                         "  a.b() // one; here {\n"
                         "  a.c(/[;}/]/, 'it; \\' {', `x ${a} ;`)\n"
                         "  const o = { k: 1, l() { return a.z } }; a.d( 1 , 2)\n"
                         "  if (a.e) { a.f() }\n"
                         "  return a\n"
                         "    .g(() => { a.h; })\n"
                         "    .i\n"
                         "}\n"
                         "f.m = async (x) => { await x.y }\n"
                         "g()";
    check_place(__LINE__, source, 2, 3, "f (f.js): a.b()");
    check_place(__LINE__, source, 2, 7, "f (f.js): a.b()");
    check_place(__LINE__, source, 3, 5, "f (f.js): a.c(/[;}/]/,'it; \\' {',`x ${a} ;`)");
    check_place(__LINE__, source, 4, 36, "l (f.js): return a.z");
    check_place(__LINE__, source, 4, 9, "f (f.js): const o={}");
    check_place(__LINE__, source, 4, 43, "f (f.js): a.d(1,2)");
    check_place(__LINE__, source, 5, 9, "f (f.js): if(a.e){}");
    check_place(__LINE__, source, 5, 16, "f (f.js): a.f()");
    check_place(__LINE__, source, 6, 10, "f (f.js): return a.g(()=>{}).i");
    check_place(__LINE__, source, 8, 6, "f (f.js): return a.g(()=>{}).i");
    check_place(__LINE__, source, 7, 16, "f (f.js): a.h");
    check_place(__LINE__, source, 10, 30, "m (f.js): await x.y");
    check_place(__LINE__, source, 11, 1, "(f.js): g()");
    check_place(__LINE__, source, 12, 1, "none");
    check_place(__LINE__, "<html>it's\n<script>a.b;\nc.d\n</script>", 2, 9, "(f.js): a.b");
    check_place(__LINE__, "<html>it's\n<script>a.b;\nc.d\n</script>", 3, 3, "(f.js): c.d");
}

/* Whatever the text is, reading ends and stays within it. */
TEST(any_text_has_a_place_or_none)
{
    static const char signs[] = "({[)}];'\"`/\\*\n <>=ax.:,0script";
    uint64_t seed = 1;
    for (int i = 0; i < 20000; i++) {
        char text[64] = "";
        size_t length = 1 + (seed >> 40) % 60;
        for (size_t k = 0; k < length; k++) {
            seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
            text[k] = signs[(seed >> 33) % (sizeof signs - 1)];
        }
        tac_str out = {0};
        finding_source_place(text, "f.js", 1 + (uint32_t)(seed >> 60), (uint32_t)(seed >> 50) % 64,
                             &out);
        CHECK(out.length < 1000);
        tac_str_free(&out);
    }
}
