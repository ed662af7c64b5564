/* Searches a kernel for the function of a C file and writes it into a folder. As C or as C++:
 *     cc optimise.c $(pkg-config --cflags --libs regraph) -o optimise && ./optimise saxpy.c out sim:h200 */
#include <rg/frontend.h>
#include <rg/places.h>
#include <rg/plan.h>
#include <rg/poly.h>
#include <rg/search.h>
#include <rg/worker.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check(enum rg_status status, const struct rg_error *error)
{
    char text[2048];
    if (status == RG_OK) return;
    fprintf(stderr, "%s\n", rg_error_format(error, text, sizeof text));
    exit(rg_status_exit(status));
}

int main(int argc, char **argv)
{
    if (argc != 4) return fprintf(stderr, "optimise FILE.c FOLDER DEVICE\n"), 2;
    struct rg_error error = RG_ERROR_INIT;
    struct rg_frontend_options read;    /* what the options of regraph-search say; zero is the default of most */
    struct rg_farm_options devices;
    struct rg_search_options budget;
    memset(&read, 0, sizeof read), memset(&devices, 0, sizeof devices), memset(&budget, 0, sizeof budget);
    read.file = argv[1], read.rtol = read.atol = -1;
    devices.device = argv[3], devices.seed = budget.seed = 1;
    budget.policy = "mcgs", budget.evals = 20, budget.in_flight = 1, budget.max_mix = -1;

    struct rg_problem *problem;         /* sizes, inputs, tolerances */
    struct rg_ctree *tree;              /* its loops */
    check(rg_frontend_load(&read, &problem, &tree, &error), &error);
    struct rg_regraph *graph;           /* what is known of optimisation steps */
    char *path = rg_place_data("cuda.json");
    check(rg_regraph_load(path, &graph, &error), &error);
    struct rg_farm *farm;               /* compiles, verifies and times candidates in processes of its own */
    check(rg_farm_start(&devices, problem, &farm, &error), &error);
    struct rg_coder coder, *coders[] = {&coder};
    check(rg_poly_new(problem, tree, &coder, &error), &error);

    struct rg_search_result result;
    budget.klass = problem->klass, budget.function = problem->function, budget.traits = problem->traits, budget.run_id = "1";
    check(rg_search_run(&budget, graph, coders, 1, rg_farm_evaluator(farm), &result, &error), &error);
    if (!result.best) return fprintf(stderr, "nothing verified: %s\n", result.last_failure), 6;
    check(rg_export_write(argv[2], problem, result.source.cuda, result.source.plan, "by optimise.c", NULL, &error), &error);
    printf("%s: %.4g us instead of %.4g, %d candidates, %s/best.cu\n", problem->function, result.evaluation.time_us, result.naive_us,
           result.evaluations, argv[2]);

    rg_search_result_release(&result);
    coder.free(coder.self);
    rg_farm_free(farm);
    rg_regraph_free(graph);
    rg_ctree_free(tree);
    rg_problem_free(problem);
    free(path);
    return 0;
}
