/* regraph-report: journals in, one page out. */
#include "cmd/report.h"
#include "cmd/common.h"
#include <rg/file.h>
#include <stdlib.h>
#include <string.h>

static enum rg_status keep(const char *path, const struct rg_buf *page, struct rg_error *err)
{
    enum rg_status st = rg_file_write(path, page->data, page->len, err);
    if (st == RG_OK) printf("%s\n", path);
    return st;
}

static enum rg_status suite_page(const char *folder, const char *output, struct rg_error *err)
{
    struct rg_buf page = RG_BUF_INIT;
    char *path = output ? rg_xstrdup(output) : rg_xasprintf("%s/report.html", folder);
    enum rg_status st = report_suite(folder, &page, err);
    if (st == RG_OK) st = keep(path, &page, err);
    rg_buf_release(&page);
    free(path);
    return st;
}

static enum rg_status runs_page(const struct rg_strings *args, const char *output, struct rg_error *err)
{
    struct report_run **runs = rg_xcalloc((size_t)args->n, sizeof *runs);
    enum rg_status st = RG_OK;
    int n = 0;
    while (n < args->n && (st = report_open(args->items[n], &runs[n], err)) == RG_OK) {
        report_beside(runs[n]);
        report_sources(runs[n]);
        report_learnt(runs[n++]);
    }
    if (st == RG_OK) {
        struct rg_buf page = RG_BUF_INIT;
        char *path = output   ? rg_xstrdup(output)
                     : n == 1 ? rg_xasprintf("%s/report.html", runs[0]->folder)
                              : rg_xstrdup("report.html");
        report_page((const struct report_run *const *)runs, n, &(struct report_page_options){false}, &page);
        st = keep(path, &page, err);
        rg_buf_release(&page);
        free(path);
    }
    for (int i = 0; i < n; i++) report_free(runs[i]);
    free(runs);
    return st;
}

int main(int argc, char **argv)
{
    const char *output = NULL;
    const struct rg_option options[] = {
        RG_OPTION_TEXT("output", 'o', &output, "FILE",
                       "where to write the page (report.html in the folder, of several runs here)"),
    };
    const struct rg_command command = {
        .name = "regraph-report",
        .example = "regraph-report out/sgemm\n  regraph-report out/sgemm-h100 out/sgemm-a100 -o compare.html",
        .usage = "OUT... [options]",
        .about = "Makes one HTML page, which needs nothing else, of what searches wrote: OUT is the\n"
                 "folder of a run, or a journal. Of several it makes a page that compares them; of the\n"
                 "folder of a suite one with a row for each problem.",
        .options = options,
        .n_options = RG_N_OPTIONS(options),
        .min_args = 1,
        .max_args = -1,
        .notes = "docs/report.md says what each figure means."};
    struct rg_strings args = {0};
    struct rg_error err = RG_ERROR_INIT;
    rg_cmd_start("regraph-report");
    int code = rg_cmd_parse(&command, argc, argv, 1, &args);
    if (code >= 0) {
        rg_strings_release(&args);
        return rg_cmd_end(code);
    }
    enum rg_status st = args.n == 1 && report_is_suite(args.items[0]) ? suite_page(args.items[0], output, &err)
                                                                      : runs_page(&args, output, &err);
    rg_strings_release(&args);
    return rg_cmd_end(st == RG_OK ? 0 : rg_cmd_fail(&err));
}
