/* Times `tactus protocol` from inside, for bench_protocol.
 *
 *   protocol_speed corpus DIR            every problem of DIR/reference.tsv, one process each
 *   protocol_speed read TRACE.pb[.xz]    reading against bare protobuf-c decoding of the same bytes
 *   protocol_speed scale MESSAGES RULES  a synthetic recording and rule set
 */
#include "base/data/alloc.h"
#include "base/data/str.h"
#include "base/data/text.h"
#include "base/io/input.h"
#include "protocol/problem/problem.h"
#include "protocol/recording.pb-c.h"
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

struct timing {
    double read, rules, validate, verify, bdd, total;
    long kilobytes;
    char verdict[16];
};

static void die(const char *what, const tac_error *err)
{
    char text[2048];
    fprintf(stderr, "%s: %s\n", what, tac_error_text(err, text, sizeof text));
    exit(4);
}

/* One problem, in a process of its own: the times come back through the pipe. */
static struct timing run_problem(const char *trace, const char *list)
{
    int ends[2];
    struct timing t = {0};
    if (pipe(ends))
        exit(4);
    pid_t child = fork();
    if (child == 0) {
        tac_error err;
        tac_recording *recording = NULL;
        tac_protocol_rules *rules = NULL;
        tac_protocol_options options = {.as_recorded = true};
        tac_protocol_result result;
        double t0 = tac_now();
        if (tac_recording_read(trace, &recording, &err) != TAC_OK)
            die(trace, &err);
        double t1 = tac_now();
        if (tac_protocol_rules_read_list(list, NULL, &rules, NULL, &err) != TAC_OK)
            die(list, &err);
        double t2 = tac_now();
        if (tac_protocol_validate(rules, recording, &options, &result, &err) != TAC_OK)
            die(trace, &err);
        double t3 = tac_now();
        tac_protocol_result_free(&result);
        if (tac_protocol_verify(rules, recording, &options, &result, &err) != TAC_OK)
            die(trace, &err);
        double t4 = tac_now();
        t = (struct timing){t1 - t0, t2 - t1, t3 - t2, t4 - t3, 0, t4 - t0, 0, ""};
        snprintf(t.verdict, sizeof t.verdict, "%s", tac_safety_name(result.safety));
        struct rusage usage;
        getrusage(RUSAGE_SELF, &usage);
        t.kilobytes = usage.ru_maxrss;
        options.engine = TAC_ENGINE_BDD;
        double t5 = tac_now();
        if (tac_protocol_verify(rules, recording, &options, NULL, &err) != TAC_OK)
            die(trace, &err);
        t.bdd = tac_now() - t5;
        if (write(ends[1], &t, sizeof t) != sizeof t)
            _exit(4);
        _exit(0);
    }
    close(ends[1]);
    if (read(ends[0], &t, sizeof t) != sizeof t)
        exit(4);
    close(ends[0]);
    waitpid(child, NULL, 0);
    return t;
}

static int compare_double(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return a < b ? -1 : a > b;
}

static void print_spread(const char *what, double *list, size_t n, double factor, const char *unit)
{
    qsort(list, n, sizeof *list, compare_double);
    printf("%-42s median %8.1f %s   90%% %8.1f %s   worst %8.1f %s\n", what, factor * list[n / 2],
           unit, factor * list[n * 9 / 10], unit, factor * list[n - 1], unit);
}

static int bench_corpus(const char *folder)
{
    char path[4096], trace[4096], list[4096], line[1024], name[200], set[64], model[32];
    snprintf(path, sizeof path, "%s/reference.tsv", folder);
    FILE *file = fopen(path, "r");
    double decide[1000], memory[1000], reading[1000], bdd[1000], validate[1000];
    size_t n = 0;
    if (!file || !fgets(line, sizeof line, file)) {
        fprintf(stderr, "no %s\n", path);
        return 4;
    }
    while (n < 1000 && fgets(line, sizeof line, file) &&
           sscanf(line, "%199s %63s %31s", name, set, model) == 3) {
        snprintf(trace, sizeof trace, "%s/traces/%s.xz", folder, name);
        snprintf(list, sizeof list, "%s/sets/%s_%s.txt", folder, set, model);
        struct timing t = run_problem(trace, list);
        decide[n] = t.verify;
        validate[n] = t.validate;
        bdd[n] = t.bdd;
        memory[n] = (double)t.kilobytes / 1024;
        reading[n++] = t.read;
    }
    fclose(file);
    printf("%zu problems of the corpus, one core\n", n);
    print_spread("grounding and decision (auto)", decide, n, 1e3, "ms");
    print_spread("grounding and decision (bdd)", bdd, n, 1e3, "ms");
    print_spread("grounding and validation", validate, n, 1e3, "ms");
    print_spread("reading the .xz recording", reading, n, 1e3, "ms");
    print_spread("peak memory", memory, n, 1, "MB");
    printf("published for the authors' program: median 195 s, 17 time-outs of an hour, 4 GB\n");
    return 0;
}

static double bare_decode(const char *data, size_t size)
{
    double start = tac_now();
    for (size_t at = 0; at < size;) {
        uint64_t length = 0;
        unsigned shift = 0;
        while (at < size) {
            uint8_t byte = (uint8_t)data[at++];
            length |= (uint64_t)(byte & 0x7F) << shift;
            shift += 7;
            if (byte < 0x80)
                break;
        }
        if (length > size - at)
            break;
        Recorded__Container *c =
            recorded__container__unpack(NULL, (size_t)length, (const uint8_t *)data + at);
        if (c)
            recorded__container__free_unpacked(c, NULL);
        at += (size_t)length;
    }
    return tac_now() - start;
}

static int bench_read(const char *path)
{
    char *data;
    size_t size;
    tac_error err;
    if (tac_input_slurp(path, (size_t)1 << 31, &data, &size, &err) != TAC_OK)
        die(path, &err);
    double best = 1e9, bare = 1e9;
    for (int round = 0; round < 5; round++) {
        struct recording *events = NULL, *all = NULL;
        double start = tac_now();
        if (recording_parse("bench", data, size, &events, &all, &err) != TAC_OK)
            die(path, &err);
        double took = tac_now() - start;
        best = took < best ? took : best;
        recording_free(events);
        recording_free(all);
        took = bare_decode(data, size);
        bare = took < bare ? took : bare;
    }
    printf("reading %.1f MB: %.1f ms, %.0f MB/s; bare protobuf-c decoding %.1f ms: %.2f times\n",
           (double)size / 1e6, 1e3 * best, (double)size / best / 1e6, 1e3 * bare, best / bare);
    free(data);
    return 0;
}

/* Objects with a start, an end and a call that is legal once; four rules each. */
static const char scale_rules[] =
    "SPEC FALSE[*] |- [CB] [ENTRY] [x] void a.A.end();\n"
    "SPEC TRUE[*]; [CI] [ENTRY] [x] void a.A.go() |+ [CB] [ENTRY] [x] void a.A.end();\n"
    "SPEC TRUE[*]; [CB] [ENTRY] [x] void a.A.start() |- [CB] [ENTRY] [x] void a.A.start();\n"
    "SPEC TRUE[*]; [CI] [ENTRY] [x] void a.A.go() |- [CI] [ENTRY] [x] void a.A.go()";

static char *scale_trace(size_t messages, size_t objects, size_t *size)
{
    tac_str text = {.cap = (size_t)4 << 30};
    for (size_t i = 0; i * 6 < messages; i++) {
        unsigned o = (unsigned)(i % objects);
        static const char *const lines[][2] = {
            {"callback_entry", "start"}, {"callin_entry", "go"},    {"callin_exit", "go"},
            {"callback_exit", "start"},  {"callback_entry", "end"}, {"callback_exit", "end"}};
        for (int k = 0; k < 6; k++)
            tac_str_addf(&text,
                         "{\"type\":\"%s\",\"class\":\"a.A\",\"method\":\"void %s()\",\"params\":"
                         "[{\"object\":\"o%u\"}]}\n",
                         lines[k][0], lines[k][1], o);
    }
    *size = text.length;
    return tac_str_take(&text);
}

static int bench_scale(size_t messages, size_t ground_rules)
{
    size_t size;
    char *trace = scale_trace(messages, ground_rules / 4 ? ground_rules / 4 : 1, &size);
    tac_error err;
    tac_recording recording = {0};
    tac_protocol_rules *rules = tac_calloc(1, sizeof *rules);
    tac_protocol_options options = {.trust_rules = true};
    tac_protocol_result validated, verified;
    double t0 = tac_now();
    if (recording_parse("scale", trace, size, &recording.events, &recording.all, &err) != TAC_OK)
        die("scale", &err);
    free(trace);
    double t1 = tac_now();
    spec_add_text(&rules->set, "rules", scale_rules, strlen(scale_rules));
    if (spec_finish(&rules->set, &err) != TAC_OK ||
        tac_protocol_validate(rules, &recording, &options, &validated, &err) != TAC_OK)
        die("scale", &err);
    double t2 = tac_now();
    if (tac_protocol_verify(rules, &recording, &options, &verified, &err) != TAC_OK)
        die("scale", &err);
    double t3 = tac_now();
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    printf(
        "%9zu messages, %6zu ground rules: read JSON Lines %7.2f s (%.0f MB/s), validate %6.2f s, "
        "verify %6.2f s (%s), %ld MB\n",
        messages, verified.ground_rules, t1 - t0, (double)size / (t1 - t0) / 1e6, t2 - t1, t3 - t2,
        tac_safety_name(verified.safety), usage.ru_maxrss / 1024);
    tac_protocol_result_free(&validated);
    tac_protocol_result_free(&verified);
    recording_free(recording.events);
    recording_free(recording.all);
    tac_protocol_rules_free(rules);
    return 0;
}

int main(int argc, char **argv)
{
    uint64_t messages, rules;
    if (argc == 3 && !strcmp(argv[1], "corpus"))
        return bench_corpus(argv[2]);
    if (argc == 3 && !strcmp(argv[1], "read"))
        return bench_read(argv[2]);
    if (argc == 4 && !strcmp(argv[1], "scale") && tac_parse_u64(argv[2], &messages) &&
        tac_parse_u64(argv[3], &rules))
        return bench_scale((size_t)messages, (size_t)rules);
    if (argc == 3 && !strcmp(argv[1], "grow") && tac_parse_u64(argv[2], &messages))
        return bench_scale((size_t)messages, ((size_t)messages / 6 + 1) * 4);
    fprintf(stderr, "usage: protocol_speed corpus DIR | read TRACE | scale MESSAGES RULES | "
                    "grow MESSAGES\n");
    return 2;
}
