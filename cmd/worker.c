/* regraph-worker: the process that compiles, runs the user's C, or owns a device; with --kernels, a folder of kernels
 * for a person. */
#include "cmd/common.h"
#include <rg/kernels.h>
#include <rg/worker.h>
#include <string.h>

static void to_stdout(void *arg, const char *text)
{
    (void)arg;
    fputs(text, stdout);
    fflush(stdout);
}

static void to_stderr(void *arg, const char *line)
{
    (void)arg;
    rg_cmd_message("%s", line);
}

static int kernels(int argc, char **argv)
{
    struct rg_kernels_options o = {.write = to_stdout, .complain = to_stderr};
    const char *cache = "hot";
    const struct rg_option table[] = {
        RG_OPTION_TEXT("kernels", 0, &o.folder, "FOLDER",
                       "Every variant of every problem in FOLDER (or of the one problem that FOLDER is): compiled,\n"
                       "run in full at its small sizes and compared with ref.c, then estimated or timed"),
        RG_OPTION_TEXT("device", 'd', &o.device, "DEV", "sim:NAME estimates, cuda:N times (sim:h200)"),
        RG_OPTION_TEXT("only", 0, &o.only, "PROBLEM[/VARIANT]", "that problem or variant alone"),
        RG_OPTION_FLAG("check", 0, &o.check, "look for races and uninitialised reads too"),
        RG_OPTION_FLAG("no-verify", 0, &o.no_verify, "only estimate or time"),
        RG_OPTION_CHOICE(
            "cache", 0, &cache, "hot|cold",
            "cold: estimate a run after L2 was emptied; hot: inputs are where the run before left them (hot)"),
        RG_OPTION_SECONDS("seconds", 0, &o.seconds, "T", "most that one variant may take (120)"),
    };
    const struct rg_command command = {
        .name = "regraph-worker",
        .example = "regraph-worker --kernels bench/sim_kernels > estimates.json",
        .usage = "--kernels FOLDER [options]",
        .about =
            "Verifies and times a folder of CUDA kernels (docs/sim.md says what stands in it): one JSON document on\n"
            "standard output. Variants run in child processes: one that crashes or takes too long costs no other its\n"
            "result.\n\n"
            "With --role this program is a part of regraph-search, which starts it and speaks JSON lines with it\n"
            "(docs/worker.md); there is nothing for a person to do there.",
        .options = table,
        .n_options = RG_N_OPTIONS(table),
        .notes = "The document has for each variant verified, outcome, estimate_us, interval_us, limiter and counters; "
                 "on a\n"
                 "real device hot_us and cold_us instead.\n"
                 "Exit: 0 every variant verified (unless --no-verify) and timed; 1 some not; 2 usage; else as "
                 "regraph-search.",
    };
    const char *none;
    int code = rg_cmd_parse_one(&command, argc, argv, &none), failed = 0;
    if (code < 0 && !o.folder) code = rg_cmd_usage(&command, "which folder? (--kernels FOLDER)");
    if (code >= 0) return code;
    o.cold = !strcmp(cache, "cold");
    struct rg_error err = RG_ERROR_INIT;
    if (rg_kernels_run(&o, &failed, &err) != RG_OK) return rg_cmd_fail(&err);
    return failed ? 1 : 0;
}

/* Anything that --role is not part of is for a person. */
static bool for_a_person(int argc, char **argv)
{
    static const char *const words[] = {"--kernels", "--help", "-h", "--version", "--describe"};
    for (int i = 1; i < argc; i++)
        for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
            size_t n = strlen(words[k]);
            if (!strncmp(argv[i], words[k], n) && (!argv[i][n] || argv[i][n] == '=')) return true;
        }
    return argc < 2;
}

int main(int argc, char **argv)
{
    if (argc > 1 && !strcmp(argv[1], "--near")) return rg_worker_near_main(argc - 2, argv + 2);
    if (argc > 1 && !strcmp(argv[1], "--far")) return rg_worker_far_main(argc - 2, argv + 2);
    if (!for_a_person(argc, argv)) return rg_worker_main(argc, argv);
    rg_cmd_start("regraph-worker");
    return rg_cmd_end(kernels(argc, argv));
}
