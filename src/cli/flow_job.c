/* Loads what a flow command works on. */
#include "cli/flow_job.h"
#include "base/data/alloc.h"

static void read_options(struct invocation *in, tac_flow_options *options)
{
    options->watch = in->watch;
    if (has_option(in, "length"))
        options->length = (uint32_t)option_number(in, "length", 0);
    if (has_option(in, "witness"))
        options->witness = option_flag(in, "witness");
    if (has_option(in, "distinct"))
        options->distinct = option_flag(in, "distinct");
    if (has_option(in, "interleavings"))
        options->all_interleavings = option_choice(in, "interleavings", false);
    options->kinds =
        has_option(in, "kind") ? (unsigned)option_choice(in, "kind", TAC_FLOW_ANY) : TAC_FLOW_ANY;
}

/* A failure whose findings were already printed with their lines. */
static int fail_after_findings(struct invocation *in, const tac_diagnostics *findings,
                               const tac_error *err)
{
    print_diagnostics(findings);
    if (!findings->errors)
        return fail(in, err);
    complain("%zu error%s", findings->errors, findings->errors == 1 ? "" : "s");
    return tac_exit_code(err->status, TAC_INCONCLUSIVE);
}

static tac_status load_requirements(struct invocation *in, struct flow_job *job,
                                    tac_diagnostics *findings, tac_error *err)
{
    size_t count = option_count(in, "require");
    job->requirements = tac_calloc(count + 1, sizeof *job->requirements);
    for (size_t i = 0; i < count; i++) {
        tac_status status = tac_requirement_load(option_value(in, "require", i), findings,
                                                 &job->requirements[i], err);
        if (status != TAC_OK)
            return status;
        job->requirement_count++;
    }
    return TAC_OK;
}

int flow_job_load(struct invocation *in, struct flow_job *job)
{
    tac_diagnostics findings = {0};
    tac_error err;
    int code = 0;
    *job = (struct flow_job){0};
    read_options(in, &job->options);
    if (job->options.witness && !option_count(in, "require"))
        return fail_usage(
            in, "--witness needs --require: a witness is a prefix that meets a requirement");
    tac_status status = tac_model_load_many(in->args, in->arg_count, &findings, &job->model, &err);
    if (status == TAC_OK) {
        tac_diagnostics_free(&findings); /* warnings are the business of `model check` */
        findings = (tac_diagnostics){0};
        if (has_option(in, "require"))
            status = load_requirements(in, job, &findings, &err);
    }
    if (status != TAC_OK)
        code = fail_after_findings(in, &findings, &err);
    tac_diagnostics_free(&findings);
    return code;
}

int flow_job_start(struct invocation *in, struct flow_job *job)
{
    tac_diagnostics findings = {0};
    tac_error err;
    int code = 0;
    job->options.requirements = (const tac_requirement *const *)job->requirements;
    job->options.requirement_count = job->requirement_count;
    tac_status status =
        tac_flow_engine_new(job->model, &job->options, &findings, &job->engine, &err);
    if (status != TAC_OK)
        code = fail_after_findings(in, &findings, &err);
    tac_diagnostics_free(&findings);
    return code;
}

void flow_job_free(struct flow_job *job)
{
    tac_flow_engine_free(job->engine);
    for (size_t i = 0; i < job->requirement_count; i++)
        tac_requirement_free(job->requirements[i]);
    free(job->requirements);
    tac_model_free(job->model);
}
