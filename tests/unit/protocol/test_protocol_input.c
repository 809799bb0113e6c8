/* Rule files and recordings as they should be read, and as they should be refused. */
#include "base/data/str.h"
#include "protocol_text.h"
#include <fcntl.h>

/* --- Rules --- */

static char *tree_text(const char *expression)
{
    struct spec_set set = {0};
    tac_str text = {0}, source = {0};
    tac_str_addf(&source, "SPEC %s |- [CI] [ENTRY] [x] void a.A.t()", expression);
    spec_add_text(&set, "rules", tac_str_text(&source), source.length);
    if (set.rules.count)
        spec_rule_text(&set, &set.rules.at[0], &text);
    tac_str_free(&source);
    spec_free(&set);
    char *all = tac_str_take(&text), *end = all ? strstr(all, " |- ") : NULL;
    if (end)
        *end = 0;
    return all;
}

#define CHECK_TREE(source, wanted)                                                                 \
    do {                                                                                           \
        char *got = tree_text(source);                                                             \
        CHECK_STR(got, "SPEC " wanted);                                                            \
        free(got);                                                                                 \
    } while (0)

TEST(precedence_is_sequence_then_boolean_then_star_then_not)
{
    CHECK_TREE("a(); b() & c() | d(); e()", "a(); ((b() & c()) | d()); e()");
    CHECK_TREE("a() & b()[*]", "(a() & (b())[*])");
    CHECK_TREE("!a()[*]", "(!a())[*]");
    CHECK_TREE("(a(); b())[*] | c()", "((a(); b())[*] | c())");
    CHECK_TREE("TRUE[ * ] ; FALSE[*]", "TRUE[*]; FALSE[*]");
    CHECK_TREE("a(x, #, NULL, 1, -2.5, \"s\", TRUE)", "a(x, #, NULL, 1, -2.5, \"s\", TRUE)");
    CHECK_TREE("a(\"x\", \"say \\\"hi\\\"\\n\", \"C:\\\\d\")",
               "a(\"x\", \"say \\\"hi\\\"\\n\", \"C:\\\\d\")");
}

TEST(messages_keep_receiver_value_arrays_and_special_names)
{
    CHECK_TREE("v = [CI] [EXIT] [#] java.lang.Object[] a.B$C.<init>(x : int[], FALSE : boolean)",
               "v = [CI] [EXIT] [#] java.lang.Object[] a.B$C.<init>(x : int[], FALSE : boolean)");
    CHECK_TREE("[CB] [ENTRY] void a.B.m() // static\n", "[CB] [ENTRY] [NULL] void a.B.m()");
}

/* The first diagnostic that reading the text gives, as "line:column: message". */
static const char *first_finding(const char *text)
{
    static char out[1200];
    tac_diagnostics findings = {0};
    tac_protocol_rules *rules = NULL;
    tac_error err;
    rules_of_text(text, &rules, &findings, &err);
    out[0] = 0;
    if (findings.count)
        snprintf(out, sizeof out, "%zu:%zu: %s", findings.at[0].line, findings.at[0].column,
                 findings.at[0].message);
    tac_protocol_rules_free(rules);
    tac_diagnostics_free(&findings);
    return out;
}

TEST(broken_rules_are_reported_with_their_place)
{
    const char *target = "[CI] [ENTRY] [x] void a.A.m()";
    char text[400];
    CHECK_CONTAINS(first_finding("SPEC TRUE[*]; |- x"), "1:15: expected a message");
    snprintf(text, sizeof text, "SPEC TRUE[*]\n  |* %s", target);
    CHECK_CONTAINS(first_finding(text), "2:4: expected");
    snprintf(text, sizeof text, "SPEC TRUE[*]; nam(x) |- %s;\nREGEXP name(x) = [TRUE]", target);
    CHECK_CONTAINS(first_finding(text),
                   "1:15: no REGEXP nam with 1 parameter; did you mean 'name'?");
    snprintf(text, sizeof text, "SPEC TRUE[*]; name() |- %s;\nREGEXP name(x) = [TRUE]", target);
    CHECK_CONTAINS(first_finding(text), "another number of parameters");
    snprintf(text, sizeof text, "REGEXP a(x) = [b(x)]; REGEXP b(x) = [a(x)]; SPEC a(x) |- %s",
             target);
    CHECK_CONTAINS(first_finding(text), "in terms of itself");
    snprintf(text, sizeof text, "SPEC x = [CI] [ENTRY] [x] int a.A.m() |- %s", target);
    CHECK_CONTAINS(first_finding(text), "only an [EXIT] has a value");
    snprintf(text, sizeof text, "SPEC TRUE |- %s; ) stray", target);
    CHECK_CONTAINS(first_finding(text), "2 stray tokens from ')' on");
    snprintf(text, sizeof text, "SPEC TRUE |- %s SPEC TRUE |- %s", target, target);
    CHECK_CONTAINS(first_finding(text), "';' is missing");
}

TEST(every_broken_rule_of_a_file_is_reported)
{
    const char *text = "SPEC ; |- x; SPEC [CB |- y;\nREGEXP = []; SPEC TRUE |- ";
    tac_diagnostics findings = {0};
    tac_protocol_rules *rules = NULL;
    tac_error err = {0};
    CHECK(rules_of_text(text, &rules, &findings, &err) == TAC_E_INPUT);
    CHECK_EQ(findings.errors, 4);
    CHECK_CONTAINS(err.message, "3 more errors");
    tac_diagnostics_free(&findings);
}

TEST(errors_name_what_was_meant)
{
    CHECK_CONTAINS(first_finding("SPEX TRUE |- [CB] [ENTRY] [x] void a.B.c()"),
                   "from 'SPEX' on, left out; did you mean 'SPEC'?");
    CHECK_CONTAINS(first_finding("SPEC TRUE |- [CB] [ENTRI] [x] void a.B.c()"),
                   "expected [ENTRY] or [EXIT], found 'ENTRI'; did you mean 'ENTRY'?");
    CHECK_CONTAINS(first_finding("SPEC TRUE |- [CB] [x] void a.B.c()"),
                   "expected [ENTRY] or [EXIT], found 'x'");
    CHECK_CONTAINS(first_finding("SPEC (TRUE |- TRUE"),
                   "1:12: expected an operator (';', '&', '|', '[*]') or ')', found '|-'");
    CHECK_CONTAINS(first_finding("SPEC TRUE |- f(\"x)"), "1:16: this quote is not closed");
}

TEST(huge_and_deep_rules_meet_a_limit_not_the_stack)
{
    tac_str text = {0};
    tac_str_add(&text, "SPEC ");
    for (int i = 0; i < 1000000; i++)
        tac_str_add_char(&text, '(');
    CHECK_CONTAINS(first_finding(tac_str_text(&text)), "nested more than 500 deep");
    tac_str_clear(&text);
    tac_str_add(&text, "SPEC TRUE");
    for (int i = 0; i < 20000; i++)
        tac_str_add(&text, "; TRUE");
    CHECK_CONTAINS(first_finding(tac_str_text(&text)),
                   "more than 5000 names, values and operators");
    tac_str_free(&text);
}

/* n() doubles thirty times: 2^30 parts once put in place. */
TEST(named_expressions_that_explode_are_refused)
{
    tac_str text = {0};
    tac_str_add(&text, "REGEXP n0() = [TRUE];\n");
    for (int i = 1; i <= 30; i++)
        tac_str_addf(&text, "REGEXP n%d() = [n%d(); n%d()];\n", i, i - 1, i - 1);
    tac_str_add(&text, "SPEC n30() |- [CI] [ENTRY] [x] void a.A.m()");
    const char *trace = "{\"type\":\"callback_entry\",\"class\":\"a.A\",\"method\":\"void c()\"}\n"
                        "{\"type\":\"callback_exit\",\"class\":\"a.A\",\"method\":\"void c()\"}\n";
    tac_protocol_rules *rules = NULL;
    tac_recording *recording = NULL;
    tac_protocol_options options = {0};
    tac_error err = {0};
    REQUIRE(rules_of_text(tac_str_text(&text), &rules, NULL, &err) == TAC_OK);
    REQUIRE(recording_of_bytes(trace, strlen(trace), &recording, &err) == TAC_OK);
    CHECK(tac_protocol_validate(rules, recording, &options, NULL, &err) == TAC_E_LIMIT);
    CHECK_EQ(err.line, 32);
    CHECK_CONTAINS(err.message, "more than 5000 parts");
    tac_protocol_rules_free(rules);
    tac_recording_free(recording);
    tac_str_free(&text);
}

TEST(a_rule_file_of_100_mb_is_refused)
{
    const char *path = test_temporary("giant.spec");
    int file = open(path, O_CREAT | O_WRONLY, 0600);
    REQUIRE(file >= 0 && !ftruncate(file, 100 << 20) && !close(file));
    tac_protocol_rules *rules = NULL;
    tac_error err = {0};
    CHECK(tac_protocol_rules_read(&path, 1, &rules, NULL, &err) == TAC_E_LIMIT);
    CHECK_CONTAINS(err.file, "giant.spec");
    remove(path);
}

TEST(a_list_names_files_relative_to_the_parent_of_its_folder)
{
    test_write("rules.spec", "SPEC TRUE[*] |- [CI] [ENTRY] [x] void a.A.m()");
    const char *list = test_write("list.txt", "\n  rules.spec  \n# comment\n");
    tac_protocol_rules *rules = NULL;
    tac_error err = {0};
    CHECK(tac_protocol_rules_read_list(list, test_folder, &rules, NULL, &err) == TAC_OK);
    CHECK_EQ(rules->set.rules.count, 1);
    tac_protocol_rules_free(rules);
    rules = NULL;
    CHECK(tac_protocol_rules_read_list(list, NULL, &rules, NULL, &err) != TAC_OK);
    CHECK_EQ(err.line, 2);
    CHECK_CONTAINS(err.message, "paths are relative to");
}

/* --- Recordings --- */

static const char *read_error(const char *data, size_t size, tac_status *status)
{
    static tac_error err;
    tac_recording *recording = NULL;
    err = (tac_error){0};
    *status = recording_of_bytes(data, size, &recording, &err);
    tac_recording_free(recording);
    return err.message;
}

static const char line_in[] =
    "{\"type\":\"callback_entry\",\"class\":\"a.A\",\"method\":\"void c()\"}\n";
static const char line_out[] =
    "{\"type\":\"callback_exit\",\"class\":\"a.A\",\"method\":\"void c()\"}\n";

TEST(a_million_deep_nesting_is_read)
{
    size_t depth = test_scale(1000000);
    tac_str text = {.cap = (size_t)1 << 30};
    for (size_t i = 0; i < depth; i++)
        tac_str_add_bytes(&text, line_in, sizeof line_in - 1);
    for (size_t i = 0; i < depth; i++)
        tac_str_add_bytes(&text, line_out, sizeof line_out - 1);
    tac_recording *recording = NULL;
    tac_error err = {0};
    REQUIRE(recording_of_bytes(tac_str_text(&text), text.length, &recording, &err) == TAC_OK);
    CHECK_EQ(tac_recording_look(recording).toplevel_callbacks, 1);
    CHECK_EQ(tac_recording_look(recording).messages, 2 * depth);
    tac_recording_view view = {0};
    FILE *out = fopen("/dev/null", "w");
    CHECK(tac_recording_draw_text(recording, &view, out, &err) == TAC_OK);
    fclose(out);
    tac_recording_free(recording);
    tac_str_free(&text);
}

TEST(wrong_recordings_are_refused_with_their_place)
{
    tac_status status;
    CHECK_CONTAINS(read_error(line_out, sizeof line_out - 1, &status), "an exit without an entry");
    CHECK_EQ(status, TAC_E_INPUT);
    CHECK_CONTAINS(read_error("\x03\x0a\x05x", 4, &status), "is not a lifestate message");
    CHECK_CONTAINS(read_error("\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", 11, &status),
                   "claims a length over 64 MiB");
    CHECK_CONTAINS(read_error("\x20\x0a", 2, &status), "no complete callback");
    char text[400];
    snprintf(text, sizeof text,
             "%s{\"type\":\"callin_exit\",\"class\":\"a.A\",\"method\":\"void m()\"}", line_in);
    CHECK_CONTAINS(read_error(text, strlen(text), &status), "exit of the call-in void a.A.m()");
    snprintf(text, sizeof text,
             "{\"type\":\"callin_entry\",\"class\":\"a.A\",\"method\":\"void m()\"}");
    CHECK_CONTAINS(read_error(text, strlen(text), &status), "outside any callback");
    snprintf(text, sizeof text, "{\"type\":\"callback_entry\",\"method\":\"c\"}");
    CHECK_CONTAINS(read_error(text, strlen(text), &status), "\"method\" must be");
    snprintf(text, sizeof text,
             "{\"type\":\"callback_entry\",\"method\":\"void c()\",\"params\":[[1]]}");
    CHECK_CONTAINS(read_error(text, strlen(text), &status), "\"params\" must be");
}

TEST(messages_are_sorted_and_other_threads_left_out)
{
    const char *text =
        "{\"type\":\"callback_exit\",\"id\":9,\"class\":\"a.A\",\"method\":\"void c()\"}\n"
        "{\"type\":\"callin_entry\",\"id\":5,\"ui\":false,\"class\":\"a.A\",\"method\":\"void "
        "m()\"}\n"
        "{\"type\":\"callback_entry\",\"id\":2,\"class\":\"a.A\",\"method\":\"void c()\"}\n";
    tac_recording *recording = NULL;
    REQUIRE(recording_of_bytes(text, strlen(text), &recording, NULL) == TAC_OK);
    CHECK_EQ(tac_recording_look(recording).messages, 2);
    CHECK_EQ(tac_recording_look(recording).toplevel_callbacks, 1);
    tac_recording_free(recording);
}

/* Calls that raised: foreseen where the rules disallow them, else unforeseen. */
TEST(exceptions_are_evidence_about_the_rules)
{
    static const char rules_text[] = "SPEC FALSE[*] |- [CI] [ENTRY] [x] void a.A.bad()";
    static const char trace[] =
        "{\"type\":\"callback_entry\",\"class\":\"a.A\",\"method\":\"void "
        "c()\",\"params\":[{\"object\":\"1\"}]}\n"
        "{\"type\":\"callin_entry\",\"class\":\"a.A\",\"method\":\"void "
        "odd()\",\"params\":[{\"object\":\"1\"}]}\n"
        "{\"type\":\"callin_exception\",\"exception\":\"E1\"}\n"
        "{\"type\":\"callin_entry\",\"class\":\"a.A\",\"method\":\"void "
        "bad()\",\"params\":[{\"object\":\"1\"}],\"caller\":\"A.java\",\"line\":7}\n"
        "{\"type\":\"callin_exception\",\"exception\":\"E2\",\"message\":\"no\"}\n"
        "{\"type\":\"callback_exception\",\"exception\":\"E2\"}\n";
    tac_protocol_rules *rules = NULL;
    tac_recording *recording = NULL;
    tac_protocol_options options = {0};
    tac_protocol_result result;
    REQUIRE(rules_of_text(rules_text, &rules, NULL, NULL) == TAC_OK);
    REQUIRE(recording_of_bytes(trace, sizeof trace - 1, &recording, NULL) == TAC_OK);
    REQUIRE(tac_protocol_validate(rules, recording, &options, &result, NULL) == TAC_OK);
    CHECK_EQ(result.admission, TAC_ADMISSION_VIOLATION);
    CHECK_EQ(result.unforeseen_count, 1);
    CHECK_EQ(result.foreseen_count, 1);
    CHECK_STR(result.unforeseen[0].exception, "E1");
    CHECK_STR(result.foreseen[0].line, "A.java:7");
    tac_protocol_result_free(&result);
    /* The callback ended in an exception: it is no event, so nothing can go wrong. */
    REQUIRE(tac_protocol_verify(rules, recording, &options, &result, NULL) == TAC_OK);
    CHECK_EQ(result.safety, TAC_SAFE);
    CHECK_EQ(result.reading.raised_callbacks, 1);
    tac_protocol_result_free(&result);
    tac_protocol_rules_free(rules);
    tac_recording_free(recording);
}

/* Who only asks whether the rules admit a recording need not wait for hints about names. */
TEST(near_misses_are_looked_for_unless_they_are_not_wanted)
{
    static const char rules_text[] = "SPEC FALSE[*] |- [CI] [ENTRY] [x] void a.A.playSong()";
    static const char trace[] = "{\"type\":\"callback_entry\",\"class\":\"a.A\",\"method\":\"void "
                                "c()\",\"params\":[{\"object\":\"1\"}]}\n"
                                "{\"type\":\"callin_entry\",\"class\":\"a.A\",\"method\":\"void "
                                "playSongs()\",\"params\":[{\"object\":\"1\"}]}\n"
                                "{\"type\":\"callin_exit\"}\n"
                                "{\"type\":\"callback_exit\"}\n";
    tac_protocol_rules *rules = NULL;
    tac_recording *recording = NULL;
    REQUIRE(rules_of_text(rules_text, &rules, NULL, NULL) == TAC_OK);
    REQUIRE(recording_of_bytes(trace, sizeof trace - 1, &recording, NULL) == TAC_OK);
    for (int skip = 0; skip < 2; skip++) {
        tac_protocol_options options = {.skip_near_misses = skip};
        tac_protocol_result result;
        REQUIRE(tac_protocol_validate(rules, recording, &options, &result, NULL) == TAC_OK);
        CHECK_EQ(result.admission, TAC_ADMITTED);
        CHECK_EQ(result.near_miss_count, skip ? 0 : 1);
        CHECK_EQ(result.without_instance_count, 1);
        CHECK_EQ(result.reading.messages, 4);
        tac_protocol_result_free(&result);
    }
    tac_protocol_rules_free(rules);
    tac_recording_free(recording);
}
