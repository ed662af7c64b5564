/* A small problem, steps and a parent for tests of the model coder. */
#ifndef RG_TESTS_LLM_FIXTURE_H
#define RG_TESTS_LLM_FIXTURE_H
#include <rg/llm.h>
#include <string.h>

#define GOOD_CUDA                                                                                                      \
    "__global__ void saxpy(int n, float a, const float *x, float *y)\n{\n    int i = blockIdx.x * blockDim.x + "       \
    "threadIdx.x;\n    if (i < n) y[i] = a * x[i] + y[i];\n}\n"
#define GOOD_PLAN "saxpy<<<ceil_div(n, 256), 256>>>(n, a, x, y);\n"
#define GOOD_REPLY "```cuda\n" GOOD_CUDA "```\n```plan\n" GOOD_PLAN "```\n"

struct fixture {
    struct rg_problem p;
    struct rg_param params[4];
    struct rg_expr n;
    const struct rg_expr *dims[1];
    int size_params[1];
    int64_t values[2];
    struct rg_sizes sizes[2];
};

static void fixture_init(struct fixture *f)
{
    memset(f, 0, sizeof *f);
    f->n = (struct rg_expr){.kind = RG_EXPR_NAME, .name = "n"};
    f->dims[0] = &f->n;
    f->params[0] = (struct rg_param){.name = "n", .kind = RG_PARAM_SCALAR, .elem = RG_I32, .struct_index = -1};
    f->params[1] = (struct rg_param){.name = "a", .kind = RG_PARAM_SCALAR, .elem = RG_F32, .struct_index = -1};
    f->params[2] = (struct rg_param){
        .name = "x", .kind = RG_PARAM_ARRAY, .elem = RG_F32, .struct_index = -1, .n_dims = 1, .dims = f->dims};
    f->params[3] = f->params[2];
    f->params[3].name = "y";
    f->params[3].role = RG_ROLE_INOUT;
    f->values[0] = 1000;
    f->values[1] = 7;
    f->sizes[0] = (struct rg_sizes){&f->values[0], 3000, true, true, true, false};
    f->sizes[1] = (struct rg_sizes){&f->values[1], 21, false, true, true, false};
    f->p =
        (struct rg_problem){.function = "saxpy",
                            .file = "saxpy.c",
                            .prototype = "void saxpy(int n, float a, const float *x, float *y)",
                            .function_source = "void saxpy(int n, float a, const float *x, float *y)\n{\n"
                                               "    for (int i = 0; i < n; i++) y[i] = a * x[i] + y[i]; /* ``` */\n}\n",
                            .context_source = "",
                            .device_decls = "",
                            .n_params = 4,
                            .params = f->params,
                            .n_size_params = 1,
                            .size_params = f->size_params,
                            .n_sizes = 2,
                            .sizes = f->sizes,
                            .traits = RG_TRAIT_LOOP | RG_TRAIT_PARALLEL};
}

static const struct rg_step step_parallelize
    __attribute__((unused)) = {.id = "parallelize",
                               .title = "One thread an iteration",
                               .hint = "Give each iteration its own thread.",
                               .precondition = "the loop carries no dependence",
                               .check_pattern = "__global__",
                               .check_change = RG_CHECK_APPEARS};
static const struct rg_step step_shared __attribute__((unused)) = {.id = "tile.shared",
                                                                   .title = "Stage tiles",
                                                                   .hint = "Stage reused tiles.",
                                                                   .check_pattern = "__shared__",
                                                                   .check_change = RG_CHECK_APPEARS,
                                                                   .example_before = "a",
                                                                   .example_after = "b"};

/* A parent as the other coder would give it: a tunable decides the block. */
static enum rg_status parent_instantiate(const struct rg_template *t, const struct rg_vector *v, struct rg_source *out,
                                         struct rg_error *err)
{
    out->cuda = rg_xasprintf("__global__ void parent(int n) { int TX=%d; }\n", (int)v->values[0]);
    out->plan = rg_xasprintf("parent<<<1, %d>>>(n);\n", (int)v->values[0]);
    return RG_OK;
}
static void parent_free(struct rg_template *t)
{
    (void)t;
}
static const struct rg_template_ops parent_ops = {.instantiate = parent_instantiate, .free = parent_free};
static int64_t parent_values[] = {64, 128};
static struct rg_tunable parent_tunables[] = {{.name = "TX", .n_values = 2, .values = parent_values, .start = 64}};
static struct rg_link parent_chain[] = {{(char *)"coalesce", (char *)"loop:i"}};
static struct rg_template parent_template __attribute__((unused)) = {.ops = &parent_ops,
                                                                     .refs = 1000,
                                                                     .coder = "poly",
                                                                     .key = (char *)"k1",
                                                                     .tunables = {.n = 1, .items = parent_tunables},
                                                                     .traits = RG_TRAIT_ATOMICS,
                                                                     .n_chain = 1,
                                                                     .chain = parent_chain};
#endif
