/* Findings of other analyses that were kept in the project folder: protocol and rules.
 *
 * A document of kind "protocol" or "rules" has the members of ProtocolFinding or RuleFinding in
 * web/src/report.ts, and "answer" and "headline" for the list of findings. */
#include "base/alloc.h"
#include "report/report_parts.h"
#include <string.h>

struct sections {
    report_project *project;
    json_t *protocol, *rules;
};

static bool add_document(void *context, const char *kind, const char *name, const json_t *document)
{
    struct sections *sections = context;
    bool protocol = !strcmp(kind, "protocol"), rules = !strcmp(kind, "rules");
    if (!protocol && !rules)
        return true;
    json_array_append_new(protocol ? sections->protocol : sections->rules,
                          json_deep_copy(document));
    const char *answer = json_string_value(json_object_get(document, "answer"));
    const char *headline = json_string_value(json_object_get(document, "headline"));
    const char *advice = json_string_value(json_object_get(document, "advice"));
    const char *severity = !answer                    ? "unclear"
                           : !strcmp(answer, "true")  ? "good"
                           : !strcmp(answer, "false") ? "bad"
                                                      : "unclear";
    char *link = tac_format("#%s-%s", kind, name);
    report_finding(sections->project, severity, link, advice, "%s", headline ? headline : name);
    free(link);
    return true;
}

tac_status report_add_documents(report_project *project, json_t *document, tac_error *err)
{
    struct sections sections = {project, json_array(), json_array()};
    tac_status status = TAC_OK;
    for (size_t i = 0; i < project->campaigns.count && status == TAC_OK; i++)
        status =
            tac_store_each_document(project->campaigns.at[i].store, add_document, &sections, err);
    json_object_set_new(document, "protocol", sections.protocol);
    json_object_set_new(document, "rules", sections.rules);
    return status;
}
