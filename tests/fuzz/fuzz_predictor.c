/* Model files of predictors, then a prediction on two fixed runs. */
#include "fuzz_memory_file.h"
#include "fuzz_target.h"
#include "mining/mining.h"
#include "mining/runs/runs.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct memory_file file = memory_file_of(data, size);
    tac_predictor *predictor = NULL;
    tac_prediction *prediction = NULL;
    tac_runs *runs = NULL;
    tac_error err;
    if (tac_predictor_load(file.path, &predictor, &err) == TAC_OK &&
        tac_runs_new(NULL, &runs, &err) == TAC_OK) {
        for (int i = 0; i < 2; i++) {
            runs_begin_at(runs, "run", 0);
            tac_runs_state(runs, "sSettings");
            tac_runs_input(runs, i ? "upload" : "logIn");
            tac_runs_state(runs, "sSettings");
            tac_runs_end(runs, i ? "1" : "0");
        }
        if (tac_predict(predictor, runs, NULL, &prediction, &err) == TAC_OK)
            json_decref(tac_prediction_json(prediction));
    }
    tac_prediction_free(prediction);
    tac_runs_free(runs);
    tac_predictor_free(predictor);
    close(file.descriptor);
    return 0;
}
