/* bench/sim_fit - estimates of whole folders of kernels again and again with other constants, for bench/sim_fit.py.
 *
 *   sim_fit FOLDER...     then on stdin, a line a request: NAME=VALUE ...   (constants of runtime/sim/model/model.h; an
 * empty line: as they are) answers with a line a variant, "PROBLEM VARIANT US LIMITER", and a line "."; "?" lists the
 * constants.
 *
 * Compiled once (NVRTC) and kept, also on disk in $SIM_FIT_CACHE where that is set: linked with --wrap=rg__compile. One
 * device. */
#include "runtime/kernels/kernels.h"
#include "runtime/sim/device_sim.h"
#include <rg/hash.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 1000 };
struct entry {
    struct kernels_problem *k;
    struct kernels_loaded v;
    struct kernels_result r;
    bool first;
};
static struct entry entries[MOST];

enum rg_status __real_rg__compile(struct rg_compiler *c, struct rg_arena *a, const char *source, const char *arch,
                                  int max_regs, const char *const *names, int n_names, struct rg_compiled *out,
                                  struct rg_error *err);
enum rg_status __wrap_rg__compile(struct rg_compiler *c, struct rg_arena *a, const char *source, const char *arch,
                                  int max_regs, const char *const *names, int n_names, struct rg_compiled *out,
                                  struct rg_error *err);
enum rg_status __wrap_rg__compile(struct rg_compiler *c, struct rg_arena *a, const char *source, const char *arch,
                                  int max_regs, const char *const *names, int n_names, struct rg_compiled *out,
                                  struct rg_error *err)
{
    const char *folder = getenv("SIM_FIT_CACHE");
    if (!folder) return __real_rg__compile(c, a, source, arch, max_regs, names, n_names, out, err);
    char *file = rg_xasprintf("%s/%016llx", folder, (unsigned long long)rg_hash64(source, strlen(source), 1));
    FILE *f = fopen(file, "rb");
    if (f) {
        memset(out, 0, sizeof *out);
        out->n_kernels = n_names;
        out->kernels = rg_arena_alloc(a, sizeof *out->kernels * (size_t)n_names);
        bool ok = true;
        for (int i = 0; i < n_names; i++) {
            char lowered[1024];
            ok = ok && fread(lowered, sizeof lowered, 1, f) == 1 &&
                 fread(&out->kernels[i].attributes, sizeof out->kernels[i].attributes, 1, f) == 1;
            out->kernels[i].name = names[i];
            out->kernels[i].lowered = rg_arena_strdup(a, lowered);
        }
        ok = ok && fread(&out->ptx_len, sizeof out->ptx_len, 1, f) == 1;
        out->ptx = rg_xcalloc(out->ptx_len + 1, 1);
        ok = ok && fread(out->ptx, 1, out->ptx_len, f) == out->ptx_len;
        fclose(f);
        if (ok) return free(file), RG_OK;
    }
    enum rg_status s = __real_rg__compile(c, a, source, arch, max_regs, names, n_names, out, err);
    if (s == RG_OK && out->outcome == RG_OUTCOME_OK && (f = fopen(file, "wb"))) {
        for (int i = 0; i < n_names; i++) {
            char lowered[1024] = "";
            snprintf(lowered, sizeof lowered, "%s", out->kernels[i].lowered);
            fwrite(lowered, sizeof lowered, 1, f);
            fwrite(&out->kernels[i].attributes, sizeof out->kernels[i].attributes, 1, f);
        }
        fwrite(&out->ptx_len, sizeof out->ptx_len, 1, f);
        fwrite(out->ptx, 1, out->ptx_len, f);
        fclose(f);
    }
    free(file);
    return s;
}

static double *constant(struct sim_model *m, const char *name)
{
#define X(field, text)                                                                                                 \
    if (!strcmp(name, #field)) return &m->field;
    SIM_MODEL_FIELDS(X)
#undef X
    return NULL;
}

static int files(const struct dirent *d)
{
    size_t n = strlen(d->d_name);
    return n > 3 && !strcmp(d->d_name + n - 3, ".cu");
}
static int folders(const struct dirent *d)
{
    return d->d_name[0] != '.';
}

int main(int argc, char **argv)
{
    struct rg_error e = RG_ERROR_INIT;
    struct rg_kernels_options o = {.device = "sim:h200"};
    struct kernels_run r = {.o = &o, .null_us = -1};
    char words[600], line[4096];
    if (rg__compiler_open(&r.compiler, &e))
        return fprintf(stderr, "sim_fit: %s\n", rg_error_format(&e, words, sizeof words)), 1;
    int n = 0;
    for (int f = 1; f < argc; f++) {
        struct dirent **p, **v;
        int np = scandir(argv[f], &p, folders, alphasort);
        for (int i = 0; i < np; i++) {
            char *folder = rg_xasprintf("%s/%s", argv[f], p[i]->d_name);
            struct kernels_problem *k;
            struct rg_error ignored = RG_ERROR_INIT;
            if (rg__kernels_problem_read(folder, p[i]->d_name, &k, &ignored)) continue;
            int nv = scandir(folder, &v, files, alphasort);
            for (int j = 0; j < nv && n < MOST; j++) {
                struct entry *x = &entries[n];
                char *file = rg_xasprintf("%s/%s", folder, v[j]->d_name);
                *x = (struct entry){.k = k, .first = j == 0};
                snprintf(x->r.name, sizeof x->r.name, "%.*s", (int)strlen(v[j]->d_name) - 3, v[j]->d_name);
                strcpy(r.d.facts.arch, "sm_90");
                if (rg__kernels_compile(&r, k, file, &x->r, &x->v, &ignored) == RG_OK && x->r.outcome == RG_OUTCOME_OK)
                    n++;
                free(file);
            }
        }
    }
    while (fgets(line, sizeof line, stdin)) {
        if (rg_device_open_sim("h200", &r.d, &e))
            return fprintf(stderr, "sim_fit: %s\n", rg_error_format(&e, words, sizeof words)), 1;
        struct sim_model *m = &((struct sim_device *)r.d.self)->model;
        if (line[0] == '?') {
#define X(field, text) printf("%s %.9g\n", #field, m->field);
            SIM_MODEL_FIELDS(X)
#undef X
        } else {
            for (char *at = strtok(line, " \n"); at; at = strtok(NULL, " \n")) {
                char *eq = strchr(at, '=');
                if (eq) *eq = 0;
                double *c = eq ? constant(m, at) : NULL;
                if (c)
                    *c = atof(eq + 1);
                else
                    fprintf(stderr, "sim_fit: no constant %s\n", at);
            }
            struct kernels_host h = {0};
            for (int i = 0; i < n; i++) {
                struct entry *x = &entries[i];
                struct rg_error ignored = RG_ERROR_INIT;
                if (i == 0 || x->k != entries[i - 1].k) {
                    rg__kernels_drop(&h);
                    for (int q = 0; i && q < entries[i - 1].k->p->n_params; q++) { /* gigabytes otherwise */
                        free(entries[i - 1].k->inputs[0][q]);
                        entries[i - 1].k->inputs[0][q] = NULL;
                    }
                }
                if (rg__kernels_estimate(&r, &h, &x->v, x->k, &x->r, &ignored))
                    rg__kernels_drop(&h);
                else
                    printf("%s %s %.6g %s %.6g %.6g\n", x->k->name, x->r.name, x->r.us, x->r.limiter, x->r.low_us,
                           x->r.high_us);
            }
            rg__kernels_drop(&h);
        }
        r.d.free(r.d.self);
        puts(".");
        fflush(stdout);
    }
    return 0;
}
