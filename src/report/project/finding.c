/* Findings of a report. See finding.h. */
#include "report/project/finding.h"
#include "base/check.h"
#include "base/data/str.h"
#include "base/describe/describe.h"
#include "findings/identity.h"
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *kind, *severity, *text;
    enum finding_level level;
} ranks[] = {
    [RANK_CRASH] = {"crash", "bad", "The app crashes, one finding per cause.", FINDING_ERROR},
    [RANK_VIOLATION] = {"violation", "bad", "A property is violated.", FINDING_ERROR},
    [RANK_FAULT] = {"fault", "bad", "Rules or a protocol are broken.", FINDING_ERROR},
    [RANK_WORSE] = {"worse", "bad", "Worse than the baseline.", FINDING_ERROR},
    [RANK_VACUOUS] = {"vacuous", "unclear", "A property or an action was never exercised.",
                      FINDING_UNCLEAR},
    [RANK_UNCLEAR] = {"unclear", "unclear", "Nobody can tell yet.", FINDING_UNCLEAR},
    [RANK_BETTER] = {"better", "good", "Better than the baseline.", FINDING_PASS},
    [RANK_KNOWN] = {"known", "unclear", "Bad, and known.", FINDING_KNOWN},
    [RANK_FINE] = {"fine", "good", "It holds.", FINDING_PASS},
};
enum { RANKS = sizeof ranks / sizeof *ranks };

static const char *copy(struct finding_set *set, const char *text)
{
    return text && *text ? tac_arena_strdup(&set->texts, text) : "";
}

void finding_add(struct finding_set *set, const struct finding_parts *parts, const char *format,
                 ...)
{
    tac_str text = {0};
    va_list args;
    va_start(args, format);
    tac_str_addv(&text, format, args);
    va_end(args);
    assert((int)parts->rank < RANKS);
    char id[FINDING_ID];
    const char *about = parts->subject && *parts->subject ? parts->subject : tac_str_text(&text);
    if (parts->rank == RANK_VIOLATION && parts->subject)
        finding_identity(parts->subject, "", id); /* as `run` and `check` tell it */
    else
        finding_identity_of_text(ranks[parts->rank].kind, about, id);
    tac_vec_push(&set->at,
                 (struct report_finding){.rank = parts->rank,
                                         .weight = parts->weight,
                                         .text = copy(set, tac_str_text(&text)),
                                         .detail = copy(set, parts->detail),
                                         .link = copy(set, parts->link),
                                         .subject = copy(set, parts->subject),
                                         .file = copy(set, parts->file),
                                         .command = copy(set, parts->command),
                                         .campaign = copy(set, parts->campaign),
                                         .id = copy(set, parts->id && *parts->id ? parts->id : id),
                                         .known = "",
                                         .line = parts->line,
                                         .is_new = parts->is_new,
                                         .order = set->at.count});
    tac_str_free(&text);
}

void finding_excuse(struct finding_set *set, const tac_report_options *options)
{
    size_t kept = 0;
    for (size_t i = 0; i < set->at.count; i++) {
        struct report_finding *finding = &set->at.at[i];
        const char *why = "";
        bool left_out = false;
        if (finding->rank <= RANK_WORSE && options->known &&
            options->known(options->known_context, finding->id, &why, &left_out)) {
            finding->rank = RANK_KNOWN;
            finding->known = copy(set, why);
        }
        if (!left_out)
            set->at.at[kept++] = *finding;
    }
    set->at.count = kept;
}

static int by_urgency(const void *a, const void *b)
{
    const struct report_finding *x = a, *y = b;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    if (x->weight != y->weight)
        return x->weight > y->weight ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

void finding_sort(struct finding_set *set)
{
    if (set->at.count)
        qsort(set->at.at, set->at.count, sizeof *set->at.at, by_urgency);
}

void finding_set_free(struct finding_set *set)
{
    tac_arena_free(&set->texts);
    tac_vec_free(&set->at);
}

FIELD_GETTER(severity_of, struct report_finding, out->text = ranks[it->rank].severity)
FIELD_GETTER(kind_of, struct report_finding, out->text = ranks[it->rank].kind)

static const struct field finding_fields[] = {FIELD_GET_TEXT("severity", severity_of),
                                              FIELD_GET_TEXT("kind", kind_of),
                                              FIELD(struct report_finding, id),
                                              FIELD(struct report_finding, text),
                                              FIELD(struct report_finding, detail, .omit = true),
                                              FIELD(struct report_finding, link, .omit = true),
                                              FIELD(struct report_finding, subject, .omit = true),
                                              FIELD(struct report_finding, campaign, .omit = true),
                                              FIELD(struct report_finding, known, .omit = true),
                                              FIELD(struct report_finding, is_new, .key = "new")};
static DESCRIBE(finding, struct report_finding);

json_t *finding_set_json(const struct finding_set *set)
{
    return describe_list_json(&finding_described, set->at.at, set->at.count);
}

/* What it is about, without figures and folders, which change from day to day; the arena's. Of what
 * is bad there is one finding per kind and subject; of the rest the sentence tells them apart. */
static const char *fingerprint_of(tac_arena *arena, const struct report_finding *finding)
{
    tac_str text = {0};
    bool whole = finding->rank > RANK_WORSE || !*finding->subject;
    tac_str_addf(&text, "%s%s%s%s", finding->campaign, *finding->campaign ? ": " : "",
                 finding->subject, whole && *finding->subject ? ": " : "");
    for (const char *c = whole ? finding->text : ""; *c; c++)
        if (!strchr("0123456789", *c))
            tac_str_add_char(&text, *c);
    const char *kept = tac_arena_strdup(arena, tac_str_text(&text));
    tac_str_free(&text);
    return kept;
}

static const char *detail_of(tac_arena *arena, const struct report_finding *finding)
{
    char *text = tac_format("%s%s%s", finding->detail,
                            *finding->detail && *finding->command ? "\n" : "", finding->command);
    const char *kept = tac_arena_strdup(arena, text);
    free(text);
    return kept;
}

tac_status finding_set_use_list(const struct finding_set *set, const char *title,
                                report_list_use *use, void *context, tac_error *err)
{
    struct finding_rule rules[RANKS];
    struct finding_entry *entries = tac_calloc(set->at.count + 1, sizeof *entries);
    struct finding_place *places = tac_calloc(set->at.count + 1, sizeof *places);
    tac_arena arena = {0};
    for (size_t i = 0; i < RANKS; i++)
        rules[i] = (struct finding_rule){ranks[i].kind, ranks[i].text};
    for (size_t i = 0; i < set->at.count; i++) {
        const struct report_finding *finding = &set->at.at[i];
        places[i] = (struct finding_place){finding->file, finding->line};
        entries[i] =
            (struct finding_entry){.level = ranks[finding->rank].level,
                                   .rule = ranks[finding->rank].kind,
                                   .name = *finding->subject ? finding->subject : finding->text,
                                   .text = finding->text,
                                   .detail = detail_of(&arena, finding),
                                   .fingerprint = fingerprint_of(&arena, finding),
                                   .id = finding->id,
                                   .known = finding->known,
                                   .places = &places[i],
                                   .place_count = *finding->file != '\0'};
    }
    struct finding_list list = {
        .title = title, .rules = rules, .rule_count = RANKS, .at = entries, .count = set->at.count};
    tac_status status = use(&list, context, err);
    free(entries);
    free(places);
    tac_arena_free(&arena);
    return status;
}
