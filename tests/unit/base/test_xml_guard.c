/* The border in front of the XML parser: against a slow, plain reading of the same text, and
 * against documents made to exhaust the parser. */
#include "base/data/alloc.h"
#include "base/data/random.h"
#include "base/data/str.h"
#include "base/io/xml.h"
#include "base/io/xml_guard.h"
#include "tactus_test.h"

static tac_status feed(const char *text, size_t size, size_t piece, tac_error *err)
{
    tac_xml_guard guard = {.name = "x.xml", .max_depth = 8};
    tac_status status = TAC_OK;
    for (size_t at = 0; at < size && status == TAC_OK; at += piece)
        status = tac_xml_guard_feed(&guard, text + at, size - at < piece ? size - at : piece, err);
    return status;
}

/* All of the text at once: does a DOCTYPE stand outside comments, instructions and CDATA? */
static bool has_doctype(const char *at)
{
    bool root = false;
    while (*at) {
        const char *end = NULL;
        if (!strncmp(at, "<!--", 4))
            end = strstr(at + 4, "-->");
        else if (!strncmp(at, "<?", 2))
            end = strstr(at, "?>");
        else if (root && !strncmp(at, "<![CDATA[", 9))
            end = strstr(at, "]]>");
        else if (!strncmp(at, "<!", 2))
            return true;
        else if (*at == '<') {
            char quote = 0;
            for (end = at + 1; *end && (quote || *end != '>'); end++)
                quote = quote                         ? (*end == quote ? 0 : quote)
                        : *end == '"' || *end == '\'' ? *end
                                                      : 0;
            root |= *end && at[1] != '/';
            end = *end ? end : NULL;
        } else {
            at++;
            continue;
        }
        if (!end)
            return false;
        at = strchr(end, '>') + 1;
    }
    return false;
}

TEST(a_document_type_is_found_wherever_it_stands)
{
    static const char *const pieces[] = {"<!-- a -->",
                                         "<?p a?>",
                                         "<a b='<!DOCTYPE x>'>",
                                         "</a>",
                                         "<![CDATA[<!DOCTYPE]]>",
                                         "text ",
                                         "<b c=\"'\"/>",
                                         "<!DOCTYPE a []>",
                                         "<!-- <!DOCTYPE -->",
                                         "\n"};
    tac_random random;
    tac_random_seed(&random, 5);
    for (int i = 0; i < 20000; i++) {
        tac_str text = {0};
        for (uint64_t n = 1 + tac_random_below(&random, 8); n; n--)
            tac_str_add(&text, pieces[tac_random_below(&random, sizeof pieces / sizeof *pieces)]);
        tac_error err;
        bool wanted = has_doctype(tac_str_text(&text));
        size_t piece = 1 + tac_random_below(&random, 40);
        bool refused = feed(tac_str_text(&text), text.length, piece, &err) == TAC_E_INPUT;
        if (refused != wanted && text.length >= 4) {
            CHECK_STR(tac_str_text(&text), wanted ? "refused" : "let through");
            break;
        }
        tac_str_free(&text);
    }
}

TEST(other_encodings_cannot_hide_one)
{
    static const char utf7[] = "<?xml version='1.0' encoding='UTF-7'?>+ADw-!DOCTYPE a []><a/>";
    static const char ascii[] = "<!DOCTYPE a []><a/>";
    char wide[4][4 * sizeof ascii];
    tac_error err;
    CHECK_EQ(feed(utf7, sizeof utf7 - 1, 7, &err), TAC_E_INPUT);
    CHECK_CONTAINS(err.message, "'UTF-7'");
    for (size_t i = 0; i < sizeof ascii - 1; i++)
        for (size_t b = 0; b < 4; b++) {
            wide[0][2 * i + b % 2] = b % 2 == 0 ? ascii[i] : 0;
            wide[1][2 * i + b % 2] = b % 2 == 1 ? ascii[i] : 0;
            wide[2][4 * i + b] = b == 0 ? ascii[i] : 0;
            wide[3][4 * i + b] = b == 3 ? ascii[i] : 0;
        }
    for (size_t k = 0; k < 4; k++)
        CHECK_EQ(feed(wide[k], (k < 2 ? 2 : 4) * (sizeof ascii - 1), 3, &err), TAC_E_INPUT);
}

static void check_limit(const char *head, const char *filling, size_t times, const char *words)
{
    tac_str text = {0};
    tac_str_add(&text, head);
    for (size_t i = 0; i < times; i++)
        tac_str_add(&text, filling);
    tac_error err = {0};
    xmlDocPtr document = NULL;
    CHECK_EQ(tac_xml_parse("x.xml", tac_str_text(&text), text.length, NULL, &document, &err),
             TAC_E_LIMIT);
    CHECK_CONTAINS(err.message, words);
    CHECK_CONTAINS(err.message, ", the limit");
    tac_str_free(&text);
}

TEST(what_exhausts_a_parser_is_refused_with_the_limit)
{
    check_limit("<a b='", "xxxxxxxxxxxxxxxx", 70000, "a tag");
    check_limit("<a", " b=''", 257, "attributes");
    check_limit("", "<a>", 257, "nested");
    check_limit("<a>", "<b/>", 1000001, "elements");
    check_limit("<!--", "xxxxxxxxxxxxxxxx", 1100000, "comments");
    check_limit("<a>", "<!--x-->", 300000, "comments");
    check_limit("<a>", "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", 2200000, "text");
}

static void write_tag(void *context, const tac_xml_tag *tag)
{
    tac_str_addf(context, "%s%zu-%zu:%zu-%zu ", tag->end ? "/" : "", tag->from, tag->to, tag->line,
                 tag->last_line);
}

TEST(tags_are_told_with_their_places)
{
    static const char text[] = "<?xml version='1.0'?>\n<a b='>'\n c=\"<\"><!-- <x> -->\n<b/>"
                               "<![CDATA[<y>]]></a\n>";
    for (size_t piece = 1; piece < sizeof text; piece++) {
        tac_str tags = {0};
        tac_error err;
        tac_xml_guard guard = {
            .name = "x.xml", .max_depth = 8, .on_tag = write_tag, .context = &tags};
        for (size_t at = 0; at < sizeof text - 1; at += piece)
            CHECK_EQ(tac_xml_guard_feed(&guard, text + at,
                                        sizeof text - 1 - at < piece ? sizeof text - 1 - at : piece,
                                        &err),
                     TAC_OK);
        CHECK_STR(tac_str_text(&tags), "22-38:2-3 51-55:4-4 /70-75:4-5 ");
        tac_str_free(&tags);
    }
}
