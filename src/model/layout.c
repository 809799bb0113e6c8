/* Turns the builder's elements, added in any order, into the flat arrays of a model: the children
 * of one parent become consecutive and keep their order. Stable counting sorts, linear in the
 * number of elements. */
#include "model/builder.h"

uint32_t *tac_model_group(const uint32_t *parent, uint32_t count, uint32_t parent_count,
                          uint32_t *first, uint32_t *counts)
{
    memset(counts, 0, parent_count * sizeof *counts);
    for (uint32_t i = 0; i < count; i++)
        counts[parent[i]]++;
    uint32_t next = 0;
    for (uint32_t p = 0; p < parent_count; p++) {
        first[p] = next;
        next += counts[p];
    }
    uint32_t *place = tac_calloc((size_t)count + 1, sizeof *place);
    for (uint32_t i = 0; i < count; i++)
        place[i] = first[parent[i]]++;
    for (uint32_t p = 0; p < parent_count; p++)
        first[p] -= counts[p];
    return place;
}

static uint32_t *numbers(uint32_t count)
{
    return tac_calloc((size_t)count + 1, sizeof(uint32_t));
}

static const char *text(const struct finishing *work, uint32_t name)
{
    return work->builder->names.text[name];
}

static void lay_out_applications(struct finishing *work)
{
    const tac_model_builder *builder = work->builder;
    uint32_t devices = work->model->device_count, count = work->model->application_count;
    uint32_t *parent = numbers(count), *first = numbers(devices), *counts = numbers(devices);
    for (uint32_t i = 0; i < count; i++)
        parent[i] = builder->applications.at[i].device;
    work->application_place = tac_model_group(parent, count, devices, first, counts);
    for (uint32_t i = 0; i < devices; i++) {
        const struct build_device *from = &builder->devices.at[i];
        work->devices[i] = (tac_model_device){.name = text(work, from->name),
                                              .serial = text(work, from->serial),
                                              .first_application = first[i],
                                              .application_count = counts[i],
                                              .line = from->line};
    }
    for (uint32_t i = 0; i < count; i++) {
        const struct build_application *from = &builder->applications.at[i];
        work->applications[work->application_place[i]] =
            (tac_model_application){.name = text(work, from->name),
                                    .code_name = text(work, from->code_name),
                                    .package = text(work, from->package),
                                    .device = from->device,
                                    .line = from->line,
                                    .external = from->external};
    }
    free(parent);
    free(first);
    free(counts);
}

static void lay_out_activities(struct finishing *work)
{
    const tac_model_builder *builder = work->builder;
    uint32_t parents = work->model->application_count, count = work->model->activity_count;
    uint32_t *parent = numbers(count), *first = numbers(parents), *counts = numbers(parents);
    for (uint32_t i = 0; i < count; i++)
        parent[i] = work->application_place[builder->activities.at[i].application];
    work->activity_place = tac_model_group(parent, count, parents, first, counts);
    for (uint32_t i = 0; i < parents; i++) {
        work->applications[i].first_activity = first[i];
        work->applications[i].activity_count = counts[i];
    }
    for (uint32_t i = 0; i < count; i++) {
        const struct build_activity *from = &builder->activities.at[i];
        work->activities[work->activity_place[i]] =
            (tac_model_activity){.name = text(work, from->name),
                                 .application = parent[i],
                                 .line = from->line,
                                 .external = from->external};
    }
    free(parent);
    free(first);
    free(counts);
}

static void lay_out_machines(struct finishing *work)
{
    const tac_model_builder *builder = work->builder;
    uint32_t parents = work->model->activity_count, count = work->model->machine_count;
    uint32_t *parent = numbers(count), *first = numbers(parents), *counts = numbers(parents);
    for (uint32_t i = 0; i < count; i++)
        parent[i] = work->activity_place[builder->machines.at[i].activity];
    work->machine_place = tac_model_group(parent, count, parents, first, counts);
    work->machine_source = numbers(count);
    for (uint32_t i = 0; i < parents; i++) {
        work->activities[i].first_machine = first[i];
        work->activities[i].machine_count = counts[i];
    }
    for (uint32_t i = 0; i < count; i++) {
        const struct build_machine *from = &builder->machines.at[i];
        work->machine_source[work->machine_place[i]] = i;
        work->machines[work->machine_place[i]] = (tac_model_machine){.name = text(work, from->name),
                                                                     .activity = parent[i],
                                                                     .initial = TAC_MODEL_NONE,
                                                                     .line = from->line,
                                                                     .external = from->external};
    }
    free(parent);
    free(first);
    free(counts);
}

/* Within a machine first the states, then the connections, then the finals: the order of the file
 * format, so that a model that was built in another order is written and read back unchanged. */
static void lay_out_nodes(struct finishing *work)
{
    enum { KINDS = 3 };
    const tac_model_builder *builder = work->builder;
    uint32_t machines = work->model->machine_count, count = work->model->node_count;
    uint32_t parents = machines * KINDS;
    uint32_t *parent = numbers(count), *first = numbers(parents), *counts = numbers(parents);
    for (uint32_t i = 0; i < count; i++)
        parent[i] = work->machine_place[builder->nodes.at[i].machine] * KINDS +
                    (uint32_t)builder->nodes.at[i].kind;
    work->node_place = tac_model_group(parent, count, parents, first, counts);
    work->node_source = numbers(count);
    for (uint32_t i = 0; i < machines; i++) {
        work->machines[i].first_node = first[(size_t)i * KINDS];
        for (uint32_t kind = 0; kind < KINDS; kind++)
            work->machines[i].node_count += counts[(size_t)i * KINDS + kind];
    }
    for (uint32_t i = 0; i < count; i++) {
        const struct build_node *from = &builder->nodes.at[i];
        work->node_source[work->node_place[i]] = i;
        work->nodes[work->node_place[i]] = (tac_model_node){.name = text(work, from->name),
                                                            .machine = parent[i] / KINDS,
                                                            .line = from->line,
                                                            .call = TAC_MODEL_NONE,
                                                            .kind = from->kind,
                                                            .leaves = from->leaves};
    }
    free(parent);
    free(first);
    free(counts);
}

void tac_model_lay_out(struct finishing *work)
{
    const tac_model_builder *builder = work->builder;
    tac_model *model = work->model;
    model->device_count = (uint32_t)builder->devices.count;
    model->application_count = (uint32_t)builder->applications.count;
    model->activity_count = (uint32_t)builder->activities.count;
    model->machine_count = (uint32_t)builder->machines.count;
    model->node_count = (uint32_t)builder->nodes.count;
    model->devices = work->devices = tac_calloc(builder->devices.count + 1, sizeof *work->devices);
    model->applications = work->applications =
        tac_calloc(builder->applications.count + 1, sizeof *work->applications);
    model->activities = work->activities =
        tac_calloc(builder->activities.count + 1, sizeof *work->activities);
    model->machines = work->machines =
        tac_calloc(builder->machines.count + 1, sizeof *work->machines);
    model->nodes = work->nodes = tac_calloc(builder->nodes.count + 1, sizeof *work->nodes);
    model->calls = work->calls = tac_calloc(builder->calls.count + 1, sizeof *work->calls);
    lay_out_applications(work);
    lay_out_activities(work);
    lay_out_machines(work);
    lay_out_nodes(work);
}
