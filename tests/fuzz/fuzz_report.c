/* The report of a folder whose only run has the input as its trace: read, or said to be damaged. */
#include "fuzz_folder.h"
#include "fuzz_target.h"
#include "report/report.h"
#include "store/store.h"

static void make_store(const char *folder)
{
    static bool made;
    char traces[128];
    tac_store *store;
    tac_error err;
    tac_store_run run = {.id = 0,
                         .kind = "monkey",
                         .name = "random run 0",
                         .flow = -1,
                         .verdict = "crash",
                         .message = "m",
                         .exception = "e",
                         .trace = "traces/000000.jsonl"};
    if (made)
        return;
    snprintf(traces, sizeof traces, "%s/traces", folder);
    mkdir(traces, 0777);
    if (tac_store_open(folder, true, &store, &err) != TAC_OK ||
        tac_store_set(store, "plan", "{\"runs\":1,\"monkey\":1,\"seed\":\"1\"}", &err) != TAC_OK ||
        tac_store_add_run(store, &run, &err) != TAC_OK || tac_store_close(store, &err) != TAC_OK)
        abort();
    made = true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *folder = fuzz_folder();
    tac_report_options options = {.folder = folder};
    tac_report *report;
    json_t *document;
    tac_error err;
    make_store(folder);
    fuzz_file(folder, "traces/000000.jsonl", data, size);
    if (tac_report_make(&options, &report, &err) == TAC_OK) {
        FILE *page = fopen("/dev/null", "w");
        for (int format = TAC_REPORT_HTML; format <= TAC_REPORT_SARIF; format++)
            tac_report_write(report, (tac_report_format)format, page, &err);
        fclose(page);
        if (tac_report_document(report, &document, &err) == TAC_OK)
            json_decref(document);
        tac_report_free(report);
    }
    return 0;
}
