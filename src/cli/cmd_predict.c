/* tactus predict MODEL.json RUNS...: which runs look like failures, and why. */
#include "cli/mine_job.h"
#include "mining/runs/described.h"

struct predict_output {
    const tac_prediction *prediction;
    bool verbose;
};

static void write_prediction(FILE *out, void *context)
{
    const struct predict_output *o = context;
    tac_prediction_text(o->prediction, o->verbose, out);
}

static int predict_run(struct invocation *in)
{
    tac_predictor *predictor = NULL;
    tac_prediction *prediction = NULL;
    tac_runs *runs = NULL;
    tac_error err;
    int code = 0;
    if (tac_predictor_load(in->args[0], &predictor, &err) != TAC_OK)
        code = fail(in, &err);
    if (!code)
        code = mine_job_read(in, predictor, 1, &runs);
    if (!code && tac_predict(predictor, runs, in->watch, &prediction, &err) != TAC_OK)
        code = fail(in, &err);
    if (!code && in->json)
        code = finish_json(in, tac_prediction_json(prediction), 0);
    else if (!code) {
        struct predict_output output = {prediction, in->verbose};
        code = finish_text(in, write_prediction, &output, 0);
    }
    tac_prediction_free(prediction);
    tac_runs_free(runs);
    tac_predictor_free(predictor);
    return code;
}

static const struct option predict_options[] = {MINE_READ_OPTIONS, {0}};

const struct command cmd_predict = {
    .noun = "predict",
    .group = GROUP_ANALYSE,
    .args = "MODEL.json RUNS...",
    .summary = "label runs with a learned predictor, and say why",
    .description =
        "Labels runs with a model that `tactus mine --train` has learned: a run looks like a "
        "cluster when the weights of the templates with a pattern that fires on it sum to more "
        "than the cluster's threshold, and passes when it looks like none. The model keeps the "
        "state tokens and the identifier rules (--rename) that it was learned with.\n\n"
        "When the runs carry labels, the predictions are judged: true and false positives and "
        "negatives, accuracy, precision, recall, F2, MCC, beside the figures of calling every run "
        "a pass. A label of ? means that the verdict is not known.",
    .example = "tactus predict examples/mining/player.model.json examples/mining/player.runs",
    .options = predict_options,
    .documents = DOCUMENTS(&prediction_described),
    .common = HAS_JSON | HAS_OUTPUT | HAS_VERBOSE,
    .reads_traces = true,
    .run = predict_run,
};
