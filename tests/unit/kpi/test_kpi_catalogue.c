/* Catalogues and declarations: what is read, and what is refused with which words. */
#include "kpi/kpi.h"
#include "tactus_test.h"
#include <stdlib.h>
#include <string.h>

#define HEAD "{\"tactus-kpi\":1,\"name\":\"x\",\"features\":{\"f\":{\"events\":[\"a\",\"b\"]}},"

static void refuses(const char *text, const char *words)
{
    tac_kpi_catalogue *catalogue = NULL;
    tac_error err;
    tac_status status = tac_kpi_catalogue_load(test_write("c.json", text), &catalogue, &err);
    CHECK_EQ(status, TAC_E_INPUT);
    if (status == TAC_OK || !strstr(err.message, words))
        printf("%s: got '%s', wanted '%s'\n", text, status == TAC_OK ? "" : err.message, words);
    CHECK(status != TAC_OK && strstr(err.message, words));
    tac_kpi_catalogue_free(catalogue);
}

TEST(mistakes_in_a_catalogue_are_named)
{
    refuses("[]", "a catalogue of KPIs is an object");
    refuses("{}", "\"tactus-kpi\": 1 is missing");
    refuses("{\"tactus-kpi\":1,\"name\":\"x\"}", "\"features\" is needed");
    refuses(HEAD "\"kpis\":[]}", "a list of 1 to");
    refuses(HEAD "\"kpi\":[]}", "'kpi' is not a key here");
    refuses(HEAD "\"kpis\":[{\"name\":\"1x\"}]}", "no digit first");
    refuses(HEAD "\"kpis\":[{\"name\":\"x\",\"domain\":\"speed\"}]}", "energy, data, performance");
    refuses(HEAD "\"kpis\":[{\"name\":\"x\",\"domain\":\"data\"}]}", "one of \"property\"");
    refuses(HEAD "\"kpis\":[{\"name\":\"x\",\"domain\":\"data\",\"features\":[\"g\"],"
                 "\"outcome\":\"pass\"}]}",
            "'g' is not a feature");
    refuses(HEAD "\"kpis\":[{\"name\":\"x\",\"domain\":\"data\",\"figure\":\"diff(rx) < 3\","
                 "\"interval\":\"[event == p, event == q]\",\"requirement\":\"< 3\"}]}",
            "without a comparison");
    refuses(HEAD "\"kpis\":[{\"name\":\"x\",\"domain\":\"data\",\"figure\":\"diff(rx)\","
                 "\"interval\":\"[event == p, event == q]\"}]}",
            "needs a \"requirement\"");
    refuses(HEAD "\"kpis\":[{\"name\":\"x\",\"domain\":\"data\",\"property\":\"forall [\"}]}",
            "'x': ");
    refuses(HEAD "\"kpis\":[{\"name\":\"x\",\"domain\":\"data\",\"property\":\"always not $a\"}]}",
            "'$a' is not an event of a feature that 'x' needs");
    refuses(HEAD "\"kpis\":[{\"name\":\"x\",\"domain\":\"data\","
                 "\"property\":\"always true property y: always true\"}]}",
            "more than one formula");
    refuses(HEAD "\"kpis\":[{\"name\":\"x\",\"domain\":\"data\",\"outcome\":\"pass\","
                 "\"requirement\":\">= 101 %\"}]}",
            "N up to 100");
    refuses(HEAD "\"declare\":[\"property p: always true\"],\"kpis\":[]}", "not properties");
    refuses(HEAD "\"declare\":[\"unit rx\"],\"kpis\":[]}", "\"declare\": ");
    refuses(HEAD "\"kpis\":[{\"name\":\"x\",\"domain\":\"data\",\"outcome\":\"pass\"}],"
                 "\"cases\":[{\"name\":\"c\",\"features\":[\"f\"],\"steps\":[\"c\"]}]}",
            "'c' is not an event of a feature that the case needs");
    refuses(HEAD "\"kpis\":[{\"name\":\"x\",\"domain\":\"data\",\"outcome\":\"pass\","
                 "\"tolerance\":3}]}",
            "only a figure has a \"tolerance\"");
}

static const char good[] =
    HEAD "\"declare\":[\"unit rx kB\"],\"kpis\":[{\"name\":\"x\",\"domain\":\"data\","
         "\"features\":[\"f\"],\"figure\":\"diff(rx)\","
         "\"interval\":\"[event == $a, event == $b]\",\"requirement\":\"< 3 kB\"}],"
         "\"cases\":[{\"name\":\"c\",\"features\":[\"f\"],\"steps\":[\"b\",\"a\"]}]}";

static void declares(const tac_kpi_catalogue *catalogue, const char *text, const char *words)
{
    tac_kpi_app *app = NULL;
    tac_error err;
    tac_status status = tac_kpi_app_load(test_write("a.json", text), catalogue, &app, &err);
    CHECK_EQ(status, words ? TAC_E_INPUT : TAC_OK);
    CHECK(!words || (status != TAC_OK && strstr(err.message, words)));
    tac_kpi_app_free(app);
}

TEST(declarations_are_read_against_their_catalogue)
{
    tac_kpi_catalogue *catalogue = NULL;
    tac_error err;
    CHECK_EQ(tac_kpi_catalogue_load(test_write("c.json", good), &catalogue, &err), TAC_OK);
    declares(catalogue, "{\"tactus-kpi-app\":1,\"name\":\"n\",\"features\":{}}", NULL);
    declares(
        catalogue,
        "{\"tactus-kpi-app\":1,\"name\":\"n\",\"features\":{\"f\":{\"a\":\"x y\",\"b\":\"z\"}}}",
        NULL);
    declares(catalogue, "{\"name\":\"n\"}", "\"tactus-kpi-app\": 1 is missing");
    declares(catalogue, "{\"tactus-kpi-app\":1,\"name\":\"n\",\"features\":{\"g\":{}}}",
             "'g' is not a feature of the catalogue 'x'");
    declares(catalogue, "{\"tactus-kpi-app\":1,\"name\":\"n\",\"features\":{\"f\":{\"a\":\"x\"}}}",
             "\"b\" is needed");
    declares(catalogue,
             "{\"tactus-kpi-app\":1,\"name\":\"n\",\"features\":{\"f\":{\"a\":\"x\",\"b\":\"`\"}}}",
             "no backquote");
    declares(catalogue, "{\"tactus-kpi-app\":1,\"name\":\"n\",\"features\":{\"f\":{\"c\":\"x\"}}}",
             "'c' is not an event of the feature 'f'");
    tac_kpi_choices choices;
    tac_kpi_app *app = NULL;
    const char none[] = "{\"tactus-kpi-app\":1,\"name\":\"n\",\"features\":{}}";
    CHECK_EQ(tac_kpi_app_load(test_write("a.json", none), catalogue, &app, &err), TAC_OK);
    tac_kpi_choose(catalogue, app, &choices);
    CHECK(!choices.kpis[0].chosen && !choices.cases[0].chosen);
    CHECK_STR(choices.kpis[0].reason, "'n' does not declare the feature 'f'");
    tac_kpi_choices_free(&choices);
    tac_kpi_app_free(app);
    tac_kpi_catalogue_free(catalogue);
}
