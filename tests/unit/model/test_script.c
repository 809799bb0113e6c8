/* Guards and updates: what they do to variables, and what is said about those that are not
 * understood. */
#include "base/data/alloc.h"
#include "model/script/script.h"
#include "tactus_test.h"

static char answer[SCRIPT_MESSAGE];

/* "yes" or "no": whether the guard holds after the update; or what is wrong with one of them. */
static const char *after(const char *update, const char *guard)
{
    struct scripts scripts = {0};
    script does, asks;
    if (script_parse(&scripts, update, false, &does, answer) &&
        script_parse(&scripts, guard, true, &asks, answer)) {
        struct script_value *values = tac_calloc(scripts.variables.count + 1, sizeof *values);
        script_run(&scripts, does, values);
        snprintf(answer, sizeof answer, "%s", script_holds(&scripts, asks, values) ? "yes" : "no");
        free(values);
    }
    scripts_free(&scripts);
    return answer;
}

TEST(operators_are_javascripts)
{
    static const struct {
        const char *update, *guard, *answer;
    } rows[] = {
        {"x = 2 + 3 * 4 - 6 / 2 % 2", "x === 13", "yes"},
        {"x = (2 + 3) * 4; y = -x + +'2'", "y == -18", "yes"},
        {"x = 1; x += 2; x *= 5; x -= 1; x /= 7; x %= 3", "x == 2", "yes"},
        {"x = 1\ny = x++ + 10\nz = ++x;;", "y == 11 && z == 3 && x == 3", "yes"},
        {"var x = 5; let y = x--; const z = --x", "x == 3 && y == 5 && z == 3", "yes"},
        {"x = 1 < 2 ? 'a' : 2 > 1 ? 'b' : 'c'", "x == 'a'", "yes"},
        {"x = false ? 1 : false ? 2 : 3", "x == 3", "yes"},
        {"x = 0 || 'b' && 'c'", "x == 'c'", "yes"},
        {"x = 1 == '1' && 1 === '1'", "x", "no"},
        {"x = null == undefined && null !== undefined", "x;", "yes"},
        {"x = !0 && !'' && !!1 && !null", "x", "yes"},
        {"x = 'b' > 'a' && 'b' >= 'b' && 2 >= 1 && 'a' < 'b' && 1 <= 1 && 1 <= 2", "x", "yes"},
        {"x = '10' < 9 || 2 > 2 || 'a' > 'b' || 3 < 3 || 1 >= 2 || 2 <= 1 || 'z' < 1", "x", "no"},
        {"x = 1 == '1' && 1 != '2' && '1' !== 1 && 'a' === 'a'", "x", "yes"},
        {"a.b = \"it's\" + '\\n'; /* * / */ // rest", "a.b == 'it\\'s\\n'", "yes"},
        {"x = 0x1F + 1e1 + .5", "x != 41.5", "no"},
        {"", "never === undefined", "yes"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        CHECK_STR(after(rows[i].update, rows[i].guard), rows[i].answer);
}

TEST(what_is_not_understood_is_named)
{
    static const struct {
        const char *update, *guard, *message;
    } rows[] = {
        {"x = 1 y", "x", "column 7: expected an operator or ';', found 'y'"},
        {"x = \n  (1 + ", "x",
         "line 2, column 8: expected a value, a variable or '(', found the end"},
        {"f(1)", "x", "column 1: functions are not understood: 'f('"},
        {"x = a[0]", "x", "column 5: arrays are not understood: 'a['"},
        {"x = new Y", "x", "column 5: 'new' is not understood"},
        {"x = ++1", "x", "column 7: expected a variable, found '1'"},
        {"x = '\\x41'", "x",
         "column 5: in these quotes a character is written by its number, which is "
         "not understood"},
        {"x = 'a", "x", "column 5: this quote is not closed"},
        {"x = 1 /* 2", "x", "column 7: this comment is not closed"},
        {"x = 1", "x = 1", "column 3: a comparison is written '==' or '==='"},
        {"x = 1", "x ? 1", "column 6: expected ':', found the end"},
        {"x = 1", "(x", "column 3: expected ')', found the end"},
        {"x = 1", "x y", "column 3: expected an operator or the end, found 'y'"},
        {"x = 1", "", "column 1: expected a value, a variable or '(', found the end"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        CHECK_STR(after(rows[i].update, rows[i].guard), rows[i].message);
}

TEST(names_move_into_a_space_of_their_own)
{
    tac_arena arena = {0};
    CHECK_STR(script_rename(&arena, "x = y.z + global.a; // b\nvar t = 'x' + 'it\\'s' + true", "M"),
              "M.x = M.y.z + global.a; // b\nvar M.t = 'x' + 'it\\'s' + true");
    tac_arena_free(&arena);
}
