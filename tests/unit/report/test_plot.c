/* Plots: no peak is lost, labels keep apart, ticks are round, thresholds are in the trace's unit.
 */
#include "base/data/random.h"
#include "report/plot/axis.h"
#include "report/plot/data.h"
#include "report/plot/label.h"
#include "tactus_test.h"

/* Writes a random walk and remembers its extremes. */
static const char *random_walk(uint64_t seed, size_t states, double *least, double *most)
{
    tac_random random;
    tac_random_seed(&random, seed);
    const char *path = test_temporary("walk.csv");
    FILE *file = fopen(path, "w");
    fprintf(file, "t,event,x [kB]\n");
    double time = 5, value = 0;
    *least = INFINITY;
    *most = -INFINITY;
    for (size_t i = 0; i < states; i++) {
        time += tac_random_below(&random, 50) ? tac_random_unit(&random) * 0.01 : 3;
        value = rint((value + tac_random_unit(&random) - 0.5) * 1000) / 1000;
        double shown = tac_random_below(&random, 997) ? value : value + 50; /* lonely peaks */
        *least = fmin(*least, shown);
        *most = fmax(*most, shown);
        fprintf(file, "%.6f,%s,%.17g\n", time, i == 3 ? "start" : "", shown);
    }
    fclose(file);
    return path;
}

TEST(every_peak_survives_however_long_the_trace)
{
    for (uint64_t seed = 1; seed < 12; seed++) {
        double least, most;
        size_t states = seed * seed * test_scale(1000);
        const char *path = random_walk(seed, states, &least, &most);
        tac_plot_options options = {.variable = "x"};
        tac_plot *plot = tac_plot_new(&options);
        REQUIRE(!tac_plot_add(plot, path, NULL, NULL, NULL));
        const struct plot_series *series = &plot->series.at[0];
        CHECK_NEAR(series->least, least, 0);
        CHECK_NEAR(series->most, most, 0);
        CHECK(series->points.count <= 4 * PLOT_BUCKETS);
        bool seen_least = false, seen_most = false;
        for (size_t i = 0; i < series->points.count; i++) {
            CHECK(!i || series->points.at[i].t >= series->points.at[i - 1].t);
            seen_least |= series->points.at[i].value == least;
            seen_most |= series->points.at[i].value == most;
        }
        CHECK(seen_least && seen_most);
        CHECK_NEAR(series->points.at[0].t, 0, 0);
        CHECK_NEAR(series->points.at[series->points.count - 1].t, series->duration, 1e-9);
        tac_plot_free(plot);
    }
}

TEST(ticks_are_round_and_cover_the_values)
{
    static const struct {
        double least, most, from, to, step;
        const char *tick;
    } cases[] = {{190, 9760, 0, 10000, 2000, "4,000"},
                 {37.6, 52.4, 36, 54, 2, "38"},
                 {0, 0.013, 0, 0.014, 0.002, "0.004"},
                 {-5, -1, -5, 0, 1, "-4"},
                 {7, 7, 3, 11, 1, "5"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct plot_axis axis = {0};
        char text[64];
        plot_axis_fit(&axis, cases[i].least, cases[i].most, 8);
        CHECK(axis.from <= cases[i].least && axis.to >= cases[i].most);
        if (i < 4) {
            CHECK_NEAR(axis.from, cases[i].from, 1e-9);
            CHECK_NEAR(axis.to, cases[i].to, 1e-9);
            CHECK_NEAR(axis.step, cases[i].step, 1e-9);
            double second = cases[i].from + (i == 0 || i == 2 ? 2 : 1) * axis.step;
            CHECK_STR(plot_axis_text(&axis, second, text, sizeof text), cases[i].tick);
        }
    }
    char text[64];
    CHECK_STR(plot_number_text(1234567.8, text, sizeof text), "1,234,568");
    CHECK_STR(plot_number_text(-999, text, sizeof text), "-999");
    CHECK_STR(plot_number_text(0.26558, text, sizeof text), "0.2656");
}

TEST(labels_keep_apart_and_in_order)
{
    tac_random random;
    tac_random_seed(&random, 3);
    for (int round = 0; round < 1000; round++) {
        struct plot_label labels[10];
        size_t count = 1 + tac_random_below(&random, 10);
        for (size_t i = 0; i < count; i++)
            labels[i] =
                (struct plot_label){.series = i, .anchor = 50 + tac_random_unit(&random) * 350};
        plot_labels_spread(labels, count, 34, 50, 400);
        for (size_t i = 0; i < count; i++) {
            CHECK(labels[i].y >= 50 - 1e-9 && labels[i].y <= 400 + 1e-9);
            if (i) {
                CHECK(labels[i].y - labels[i - 1].y >= 34 - 1e-9);
                CHECK(labels[i].anchor >= labels[i - 1].anchor);
            }
        }
    }
}

static tac_properties *load(const char *text)
{
    tac_diagnostics findings = {0};
    tac_properties *properties = NULL;
    if (tac_property_parse("test", text, strlen(text), &findings, &properties, NULL))
        test_fail(__FILE__, __LINE__, "%s", findings.count ? findings.at[0].message : "?");
    tac_diagnostics_free(&findings);
    return properties;
}

TEST(the_bound_is_drawn_in_the_unit_of_the_trace)
{
    const char *path = test_write("u.csv", "t,event,rx [kB]\n0,,100\n1,a,150\n2,,900\n3,b,1250\n"
                                           "4,a,1300\n5,b,1400\n");
    tac_properties *properties =
        load("unit rx MB\nproperty p: forall [event == a, event == b] diff(rx) < 1 MB\n"
             "property q: forall [event == a, event == b] max(rx) < 2 MB\n");
    for (size_t index = 0; index < 2; index++) {
        tac_plot_options options = {.variable = "rx", .properties = properties, .property = index};
        tac_plot *plot = tac_plot_new(&options);
        tac_error err = {0};
        if (tac_plot_add(plot, path, NULL, NULL, &err))
            test_fail(__FILE__, __LINE__, "%s", err.message);
        const struct plot_series *series = &plot->series.at[0];
        REQUIRE(series->intervals.count == 2);
        const struct plot_interval *first = &series->intervals.at[0];
        CHECK_NEAR(first->start, 150, 1e-9);
        CHECK_NEAR(first->end, 1250, 1e-9);
        CHECK_NEAR(first->threshold, index ? 2000 : 1150, 1e-9);
        CHECK_NEAR(first->margin, index ? 750 : -100, 1e-9);
        CHECK_EQ(first->holds, index == 1);
        CHECK_EQ(first->from_start, index == 0);
        CHECK_STR(first->from_event, "a");
        CHECK_STR(first->to_event, "b");
        const struct plot_interval *worst = plot_worst(series);
        CHECK_NEAR(worst->margin, index ? 600 : -100, 1e-9);
        tac_plot_free(plot);
    }
    tac_property_free(properties);
}

TEST(large_numbers_are_written_in_a_larger_unit)
{
    const char *path = test_write("g.csv", "t,rx [B],plain\n0,0,0\n1,49905838057,3000000\n");
    static const char *const names[] = {"rx", "plain"}, *const units[] = {"GB", "10^6"};
    for (int i = 0; i < 2; i++) {
        tac_plot_options options = {.variable = names[i]};
        tac_plot *plot = tac_plot_new(&options);
        REQUIRE(!tac_plot_add(plot, path, NULL, NULL, NULL));
        struct plot_scale scale = plot_scale_of(plot);
        CHECK_STR(scale.unit, units[i]);
        CHECK_NEAR(scale.factor, i ? 1e-6 : 1e-9, 1e-21);
        tac_plot_free(plot);
    }
}

static tac_plot *plot_of(const char *path, const char *variable, const tac_properties *properties)
{
    tac_plot_options options = {.variable = variable, .properties = properties};
    tac_plot *plot = tac_plot_new(&options);
    tac_error err = {0};
    if (tac_plot_add(plot, path, NULL, NULL, &err))
        test_fail(__FILE__, __LINE__, "%s", err.message);
    return plot;
}

TEST(a_run_that_reaches_the_end_is_drawn)
{
    const char *path = test_write("r.csv", "t,x\n0,1\n1,5\n2,1\n3,7\n4,9\n");
    tac_properties *properties = load("property p: forall [x > 4] max(x) < 8");
    tac_plot *plot = plot_of(path, "x", properties);
    const struct plot_series *series = &plot->series.at[0];
    REQUIRE(series->intervals.count == 2);
    CHECK_NEAR(series->intervals.at[1].t_from, 3, 1e-12);
    CHECK_NEAR(series->intervals.at[1].t_to, 4, 1e-12);
    CHECK(plot_worst(series) == &series->intervals.at[1] && !series->intervals.at[1].holds);
    tac_plot_free(plot);
    tac_property_free(properties);
}

TEST(a_temporal_property_is_marked_where_it_was_decided)
{
    const char *path =
        test_write("m.csv", "t,event,x\n0,,1\n1,tap,1\n1.5,shown,1\n5,tap,2\n9,,3\n10,,3\n");
    tac_properties *properties = load("property p: always (tap -> eventually[<= 2 s] shown)");
    tac_plot *plot = plot_of(path, "x", properties);
    const struct plot_series *series = &plot->series.at[0];
    REQUIRE(series->intervals.count == 1 && series->intervals.at[0].stretch);
    CHECK_NEAR(series->intervals.at[0].t_from, 5, 1e-12);
    CHECK_NEAR(series->intervals.at[0].t_to, 9, 1e-12);
    CHECK_EQ(series->answer, TAC_VIOLATED);
    tac_plot_free(plot);
    tac_property_free(properties);
}

TEST(a_derived_variable_is_drawn)
{
    const char *path = test_write("d.csv", "t,i [mA],u [V]\n0,100,4\n1,200,3\n2,50,2\n");
    tac_properties *properties =
        load("let power = i * u\nproperty p: forall [i > 60] max(power) < 0.5 W");
    tac_plot *plot = plot_of(path, "power", properties);
    const struct plot_series *series = &plot->series.at[0];
    CHECK_STR(plot_unit(plot), "mW");
    CHECK_NEAR(series->least, 100, 1e-9);
    CHECK_NEAR(series->most, 600, 1e-9);
    REQUIRE(series->intervals.count == 1);
    CHECK_NEAR(series->intervals.at[0].threshold, 500, 1e-9);
    CHECK_NEAR(series->intervals.at[0].margin, -100, 1e-9);
    tac_plot_free(plot);
    tac_property_free(properties);
}

/* Ten thousand intervals: all are there, the worst is the worst, the picture stays small. */
TEST(very_many_intervals_are_all_kept)
{
    enum { MANY = 10000 };
    const char *path = test_temporary("many.csv");
    FILE *file = fopen(path, "w");
    REQUIRE(file != NULL);
    fprintf(file, "t,event,x\n");
    for (int i = 0; i < MANY; i++)
        fprintf(file, "%d,a,0\n%d.5,b,%d\n", i, i, i == 7777 ? 90 : i % 50);
    REQUIRE(!fclose(file));
    tac_properties *properties = load("property p: forall [a, b] diff(x) < 60");
    tac_plot *plot = plot_of(path, "x", properties);
    const struct plot_series *series = &plot->series.at[0];
    CHECK_EQ(series->intervals.count, MANY);
    CHECK_NEAR(plot_worst(series)->t_from, 7777, 1e-9);
    CHECK_NEAR(plot_worst(series)->margin, -30, 1e-9);
    char *svg = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&svg, &size);
    REQUIRE(out && !tac_plot_svg(plot, out, NULL) && !fclose(out));
    CHECK(size < 400000);
    CHECK_CONTAINS(svg, "tp-shade tp-bad");
    free(svg);
    tac_plot_free(plot);
    tac_property_free(properties);
}
