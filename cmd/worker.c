/* regraph-worker: the process that compiles, runs the user's C, or owns a device; with --kernels, a folder of kernels for a person. */
#include <rg/kernels.h>
#include <rg/worker.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "Usage: regraph-worker --kernels FOLDER [--device sim:NAME|cuda:N] [--only PROBLEM[/VARIANT]] [--check] [--no-verify] [--cache hot|cold]\n"
    "                      [--seconds S]\n"
    "       regraph-worker --role compile|run|reference [--device cuda:N|sim:NAME] [--tmp DIR]\n\n"
    "  regraph-worker --kernels ../shared/kernels > estimates.json\n\n"
    "--kernels  Every variant of every problem in FOLDER (or of the one problem that FOLDER is): compiled, run in full at its small\n"
    "           sizes and compared with ref.c, then estimated on a simulated device (default sim:h200) or timed on a real one. One\n"
    "           JSON document on stdout: per variant verified, outcome, estimate_us, interval_us, limiter, counters; on a real\n"
    "           device hot_us and cold_us instead. docs/sim.md says what stands in FOLDER and what the fields mean. Variants run in\n"
    "           child processes: one that crashes or takes longer than S seconds (120) costs no other its result.\n"
    "           --check also looks for races and uninitialised reads; --no-verify only estimates or times;\n"
    "           --cache cold estimates a run after L2 was emptied (hot: inputs are where the run before left them).\n"
    "           Exit 0: every variant verified (unless --no-verify) and timed; 1: some not; 2: misuse; else what regraph-search's exit codes say.\n\n"
    "--role     Compiles candidates, runs them on a device, or runs the user's C. regraph-search starts workers and speaks JSON lines\n"
    "           with them (docs/worker.md); there is nothing for a person to do there.";

static void to_stdout(void *arg, const char *text)
{
    (void)arg;
    fputs(text, stdout);
    fflush(stdout);
}

static void to_stderr(void *arg, const char *line)
{
    (void)arg;
    fprintf(stderr, "regraph-worker: %s\n", line);
}

static int kernels(int argc, char **argv)
{
    struct rg_kernels_options o = {.write = to_stdout, .complain = to_stderr};
    for (int i = 1; i < argc; i++) {
        bool more = i + 1 < argc;
        if (!strcmp(argv[i], "--kernels") && more) o.folder = argv[++i];
        else if (!strcmp(argv[i], "--device") && more) o.device = argv[++i];
        else if (!strcmp(argv[i], "--only") && more) o.only = argv[++i];
        else if (!strcmp(argv[i], "--seconds") && more && atof(argv[i + 1]) > 0) o.seconds = atof(argv[++i]);
        else if (!strcmp(argv[i], "--cache") && more && (!strcmp(argv[i + 1], "hot") || !strcmp(argv[i + 1], "cold"))) o.cold = !strcmp(argv[++i], "cold");
        else if (!strcmp(argv[i], "--check")) o.check = true;
        else if (!strcmp(argv[i], "--no-verify")) o.no_verify = true;
        else {
            fprintf(stderr, "regraph-worker: '%s' is no option of --kernels, or lacks its value (--help)\n", argv[i]);
            return 2;
        }
    }
    struct rg_error err = RG_ERROR_INIT;
    int failed = 0;
    enum rg_status s = rg_kernels_run(&o, &failed, &err);
    if (s != RG_OK) {
        char words[600];
        fprintf(stderr, "regraph-worker: %s\n", rg_error_format(&err, words, sizeof words));
        return rg_status_exit(s);
    }
    if (fflush(stdout) || ferror(stdout)) {
        fprintf(stderr, "regraph-worker: cannot write the document\n");
        return 3;
    }
    return failed ? 1 : 0;
}

int main(int argc, char **argv)
{
    if (argc > 1 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))) {
        puts(help);
        return fflush(stdout) ? 3 : 0;
    }
    if (argc > 1 && !strcmp(argv[1], "--near")) return rg_worker_near_main(argc - 2, argv + 2);
    if (argc > 1 && !strcmp(argv[1], "--far")) return rg_worker_far_main(argc - 2, argv + 2);
    for (int i = 1; i < argc; i++)
        if (!strcmp(argv[i], "--kernels")) return kernels(argc, argv);
    return rg_worker_main(argc, argv);
}
