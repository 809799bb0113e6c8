/* XML: streaming with lines and a schema; bombs, depth and size are refused. */
#include "base/data/str.h"
#include "base/io/xml.h"
#include "tactus_test.h"

static const char schema[] =
    "<xs:schema xmlns:xs='http://www.w3.org/2001/XMLSchema'><xs:element name='list'>"
    "<xs:complexType><xs:sequence><xs:element name='item' minOccurs='0' maxOccurs='unbounded'>"
    "<xs:complexType><xs:attribute name='n' type='xs:integer' use='required'/></xs:complexType>"
    "</xs:element></xs:sequence></xs:complexType></xs:element></xs:schema>";

static tac_status read_all(const char *path, const tac_xml_limits *limits, const char *xsd,
                           tac_diagnostics *diagnostics, size_t *items, tac_error *err)
{
    tac_xml_reader *reader;
    tac_status status =
        tac_xml_open(path, limits, xsd, xsd ? strlen(xsd) : 0, diagnostics, &reader, err);
    if (status != TAC_OK)
        return status;
    bool more = true;
    *items = 0;
    while (status == TAC_OK && more) {
        status = tac_xml_next(reader, &more, err);
        if (status == TAC_OK && more &&
            xmlTextReaderNodeType(tac_xml_raw(reader)) == XML_READER_TYPE_ELEMENT &&
            !strcmp(tac_xml_name(reader), "item"))
            ++*items;
    }
    tac_xml_close(reader);
    return status;
}

TEST(streaming_with_a_schema_reports_every_error_with_its_line)
{
    const char *path =
        test_write("l.xml", "<list>\n<item n='1'/>\n<item/>\n<item n='x'/>\n<other/>\n</list>\n");
    tac_diagnostics diagnostics = {0};
    tac_error err;
    size_t items;
    CHECK_EQ(read_all(path, NULL, schema, &diagnostics, &items, &err), TAC_OK);
    CHECK_EQ(items, 3);
    REQUIRE(diagnostics.errors >= 3);
    CHECK_EQ(diagnostics.at[0].line, 3);
    CHECK_CONTAINS(diagnostics.at[0].message, "'n' is required");
    tac_diagnostics_free(&diagnostics);
}

TEST(what_is_not_well_formed_has_a_line)
{
    tac_error err;
    size_t items;
    tac_diagnostics none = {0};
    CHECK_EQ(
        read_all(test_write("b.xml", "<list>\n<item></list>"), NULL, NULL, &none, &items, &err),
        TAC_E_INPUT);
    CHECK_EQ(err.line, 2);
    CHECK_EQ(read_all(test_write("e.xml", ""), NULL, NULL, &none, &items, &err), TAC_E_INPUT);
    xmlDocPtr doc;
    CHECK_EQ(tac_xml_parse("m.xml", "<a>\n<b>\n</a>", 12, NULL, &doc, &err), TAC_E_INPUT);
    CHECK_EQ(err.line, 3);
}

TEST(bombs_depth_and_size_are_refused)
{
    tac_error err;
    size_t items;
    tac_diagnostics none = {0};
    static const char bomb[] = "<!DOCTYPE list [<!ENTITY a 'aaaaaaaaaa'><!ENTITY b '&a;&a;&a;'>]>\n"
                               "<list>&b;</list>";
    CHECK_EQ(read_all(test_write("bomb.xml", bomb), NULL, NULL, &none, &items, &err), TAC_E_INPUT);
    CHECK_CONTAINS(err.message, "DOCTYPE");
    xmlDocPtr doc;
    CHECK_EQ(tac_xml_parse("bomb.xml", bomb, strlen(bomb), NULL, &doc, &err), TAC_E_INPUT);

    tac_str deep = {0};
    for (int i = 0; i < 5000; i++)
        tac_str_add(&deep, "<a>");
    CHECK_EQ(read_all(test_write("deep.xml", deep.text), NULL, NULL, &none, &items, &err),
             TAC_E_LIMIT);
    CHECK(tac_xml_parse("deep.xml", deep.text, deep.length, NULL, &doc, &err) != TAC_OK);
    tac_str_free(&deep);

    tac_xml_limits small = {.max_size = 10};
    CHECK_EQ(read_all(test_write("s.xml", "<list><item n='1'/></list>"), &small, NULL, &none,
                      &items, &err),
             TAC_E_LIMIT);
}

TEST(escapes_survive_a_round_trip)
{
    tac_str text = {0};
    tac_str_add(&text, "<a t=\"");
    tac_xml_escape(&text, "<&>\"'\n\t caf\xc3\xa9");
    tac_str_add(&text, "\"/>");
    xmlDocPtr doc;
    tac_error err;
    REQUIRE(tac_xml_parse("t", text.text, text.length, NULL, &doc, &err) == TAC_OK);
    xmlChar *value = xmlGetProp(xmlDocGetRootElement(doc), (const xmlChar *)"t");
    CHECK_STR((char *)value, "<&>\"'\n\t caf\xc3\xa9");
    xmlFree(value);
    xmlFreeDoc(doc);
    tac_str_free(&text);
}
