#include "runtime/data/inputs.h"
#include "runtime/os/bulk.h"
#include "runtime/data/inputs_draw.h"
#include "runtime/data/layout.h"
#include "runtime/data/npy.h"
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <rg/cpus.h>
#include <rg/hash.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BLOCK = 1024, MAX_THREADS = 16, THREAD_MIN = 1 << 18 };

/* What one thread fills: elements from .. to-1 of one scalar part. */
struct job {
    const struct rg_draw *draw;
    enum rg_scalar type;
    unsigned char *to; /* of element 0's part */
    int64_t stride;    /* bytes between elements */
    int64_t count;     /* scalars of the part in one element, dense */
    int64_t from, end; /* scalars */
    pthread_t thread;
    bool started;
};

static void store(const struct job *j, int64_t from, int n, const double *reals, const int64_t *ints)
{
    int64_t size = (int64_t)rg_scalar_bytes(j->type);
    if (j->stride == size && j->type == RG_F32) {
        float *f = (float *)(void *)j->to + from;
        for (int i = 0; i < n; i++) f[i] = (float)reals[i];
        return;
    }
    if (j->stride == size && j->type == RG_I32) {
        int32_t *v = (int32_t *)(void *)j->to + from;
        for (int i = 0; i < n; i++) v[i] = (int32_t)ints[i];
        return;
    }
    for (int i = 0; i < n; i++) {
        int64_t k = from + i;
        unsigned char *p = j->to + k / j->count * j->stride + k % j->count * size;
        if (reals)
            rg__store_real(j->type, p, reals[i]);
        else
            rg__store_int(j->type, p, ints[i]);
    }
}

static void *work(void *arg)
{
    struct job *j = arg;
    bool real = rg_scalar_is_real(j->type);
    union {
        double reals[BLOCK];
        int64_t ints[BLOCK];
    } b;
    for (int64_t at = j->from; at < j->end; at += BLOCK) {
        int n = j->end - at < BLOCK ? (int)(j->end - at) : BLOCK;
        if (real)
            rg__draw_reals(j->draw, at, n, b.reals);
        else
            rg__draw_ints(j->draw, at, n, b.ints);
        store(j, at, n, real ? b.reals : NULL, b.ints);
    }
    return NULL;
}

static void fill_part(const struct rg_draw *d, enum rg_scalar type, void *to, int64_t stride, int64_t count)
{
    struct job jobs[MAX_THREADS];
    int cpus = rg_cpus(), n = d->n < THREAD_MIN ? 1 : cpus > MAX_THREADS ? MAX_THREADS : cpus;
    int64_t each = (d->n / n + BLOCK) / BLOCK * BLOCK;
    for (int i = 0; i < n; i++) {
        int64_t from = i * each < d->n ? i * each : d->n, end = from + each < d->n && i < n - 1 ? from + each : d->n;
        jobs[i] =
            (struct job){.draw = d, .type = type, .to = to, .stride = stride, .count = count, .from = from, .end = end};
        jobs[i].started = i > 0 && pthread_create(&jobs[i].thread, NULL, work, &jobs[i]) == 0;
    }
    for (int i = 0; i < n; i++) {
        if (jobs[i].started)
            pthread_join(jobs[i].thread, NULL);
        else
            work(&jobs[i]);
    }
}

static enum rg_status arguments(const struct rg_fill *f, int param, const struct rg_input *in, struct rg_draw *d,
                                struct rg_error *err)
{
    struct rg_problem_env env;
    rg_problem_env_init(&env, f->problem, f->sizes);
    double v[RG_INPUT_ARGS] = {0};
    int64_t iv[RG_INPUT_ARGS] = {0};
    d->integers = true;
    for (int i = 0; i < in->n_args; i++) {
        if (in->int_args[i]) {
            enum rg_status s = rg_expr_eval(in->int_args[i], &env.env, &iv[i], err);
            if (s != RG_OK) {
                rg_error_prefix(err, "input %s of %s", in->text ? in->text : "",
                                rg_param_shown(&f->problem->params[param]));
                return s;
            }
            v[i] = (double)iv[i];
        } else {
            v[i] = in->real_args[i];
            iv[i] = v[i] > -9.2e18 && v[i] < 9.2e18 ? (int64_t)v[i] : 0;
            d->integers = false;
        }
    }
    d->a = v[0], d->b = v[1], d->c = v[2];
    d->ia = iv[0], d->ib = iv[1], d->ic = iv[2];
    d->n_choices = in->n_args;
    memcpy(d->choice, v, sizeof d->choice);
    memcpy(d->whole, iv, sizeof d->whole);
    return RG_OK;
}

static enum rg_status check_arguments(const struct rg_fill *f, int param, const struct rg_input *in,
                                      const struct rg_draw *d, bool real, struct rg_error *err)
{
    const struct rg_param *q = &f->problem->params[param];
    const char *text = in->text ? in->text : "";
    bool range = d->kind == RG_INPUT_UNIFORM || d->kind == RG_INPUT_SORTED || d->kind == RG_INPUT_PLATEAUS;
    if (range && (real ? d->a > d->b : d->ia > d->ib))
        return rg_error_set(err, RG_INPUT, "input %s of %s is empty: %g is above %g", text, rg_param_shown(q), d->a,
                            d->b);
    if (d->kind == RG_INPUT_PREFIX && d->ia < 0)
        return rg_error_set(err, RG_INPUT, "input %s of %s: a negative total", text, rg_param_shown(q));
    return RG_OK;
}

static uint64_t key_of(const struct rg_fill *f, int param, int part)
{
    uint64_t k = rg_mix64(f->base * 0x9e3779b97f4a7c15u + (uint64_t)f->seed);
    return rg_mix64(k ^ ((uint64_t)(unsigned)param << 32 | (unsigned)part));
}

enum rg_status rg__input_fill(const struct rg_fill *f, int param, int64_t elements, void *to, struct rg_error *err)
{
    const struct rg_param *q = &f->problem->params[param];
    if (q->input.kind == RG_INPUT_FILE) return rg__input_load(q->input.file, f->problem, param, f->sizes, to, err);
    if (q->kind == RG_PARAM_SCALAR && !rg_scalar_is_real(q->elem) && q->elem != RG_STRUCT) {
        for (int i = 0; i < f->problem->n_size_params; i++)
            if (f->problem->size_params[i] == param) {
                rg__store_int(q->elem, to, f->sizes->values[i]);
                return RG_OK;
            }
    }
    struct rg_parts parts;
    rg__parts(f->problem, param, &parts);
    if (q->elem == RG_STRUCT) rg__bulk_set(to, 0, (size_t)(elements * q->elem_bytes)); /* padding */
    for (int k = 0; k < parts.n; k++) {
        const struct rg_field *part = &parts.fields[k];
        const struct rg_input *in = rg_param_input(q, part->path);
        struct rg_draw d = {.kind = in->kind, .style = f->plain ? 0 : f->seed % RG_N_STYLES, .positive = f->positive};
        if (d.kind == RG_INPUT_INIT) d.kind = RG_INPUT_DEFAULT;
        bool apart = d.kind == RG_INPUT_PLATEAUS && f->sizes->timed && f->problem->n_sizes > 1;
        if (apart) d.kind = RG_INPUT_UNIFORM; /* what is found soon is no work to time */
        enum rg_status s = arguments(f, param, in, &d, err);
        if (s != RG_OK) return s;
        if (d.kind == RG_INPUT_LCG) d.ia += f->seed;
        s = check_arguments(f, param, in, &d, rg_scalar_is_real(part->type), err);
        if (s != RG_OK) return s;
        d.key = key_of(f, param, k);
        d.n = elements * part->count;
        fill_part(&d, part->type, (unsigned char *)to + part->offset, q->elem_bytes, part->count);
    }
    return RG_OK;
}

void rg__input_perturb(const struct rg_fill *f, int param, int64_t elements, double by, void *to)
{
    const struct rg_param *q = &f->problem->params[param];
    struct rg_parts parts;
    rg__parts(f->problem, param, &parts);
    for (int k = 0; k < parts.n; k++) {
        const struct rg_field *part = &parts.fields[k];
        if (!rg_scalar_is_real(part->type)) continue;
        uint64_t key = key_of(f, param, k);
        size_t size = rg_scalar_bytes(part->type);
        for (int64_t i = 0; i < elements; i++)
            for (int64_t c = 0; c < part->count; c++) {
                unsigned char *p = (unsigned char *)to + i * q->elem_bytes + part->offset + c * (int64_t)size;
                double u = rg__draw_unit(key, (uint64_t)(i * part->count + c));
                rg__store_real(part->type, p, rg__load_real(part->type, p) * (1 - by + 2 * by * u));
            }
    }
}

/* --- .npy files --- */

struct image {
    void *data;
    size_t len;
};

static enum rg_status image_open(const char *path, struct image *im, struct rg_error *err)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct stat st;
    if (fd < 0 || fstat(fd, &st)) {
        int e = errno;
        if (fd >= 0) close(fd);
        return rg_error_set(err, RG_INPUT, "cannot open '%s': %s", path, strerror(e));
    }
    im->len = (size_t)st.st_size;
    im->data = st.st_size > 0 && S_ISREG(st.st_mode) ? mmap(NULL, im->len, PROT_READ, MAP_PRIVATE, fd, 0) : MAP_FAILED;
    close(fd);
    if (im->data == MAP_FAILED) return rg_error_set(err, RG_INPUT, "%s: not a .npy file", path);
    return RG_OK;
}

/* "(1024, 32)": the parameter's extents at these sizes. False when one cannot be evaluated. */
static bool extents(const struct rg_problem *p, int param, const struct rg_sizes *s, int64_t *dims, char *text,
                    size_t size)
{
    struct rg_problem_env env;
    rg_problem_env_init(&env, p, s);
    const struct rg_param *q = &p->params[param];
    int at = snprintf(text, size, "(");
    int n = q->kind == RG_PARAM_ARRAY ? q->n_dims : 0;
    for (int i = 0; i < n && i < RG_NPY_MAX_DIMS; i++) {
        if (rg_expr_eval(q->dims[i], &env.env, &dims[i], NULL) != RG_OK) return false;
        if ((size_t)at < size)
            at += snprintf(text + at, size - (size_t)at, "%s%lld", i ? ", " : "", (long long)dims[i]);
    }
    if ((size_t)at < size) snprintf(text + at, size - (size_t)at, ")");
    return true;
}

/* The same shape, or the same elements in one dimension (a flat array for a flat pointer and the other way round). */
static bool shape_fits(const struct rg_npy *n, const int64_t *dims, int n_dims)
{
    int64_t total = 1;
    bool same = n->n_dims == n_dims;
    for (int i = 0; i < n_dims; i++) {
        total *= dims[i];
        same = same && n->dims[i] == dims[i];
    }
    return same || ((n->n_dims == 1 || n_dims <= 1) && n->elements == total);
}

static enum rg_status check_file(const struct rg_problem *p, int param, const struct rg_sizes *s, const char *path,
                                 const struct rg_npy *n, bool *fits, struct rg_error *err)
{
    const struct rg_param *q = &p->params[param];
    char has[160], wants[160];
    int64_t dims[RG_NPY_MAX_DIMS];
    rg__npy_describe(n, has, sizeof has);
    if (!rg__npy_is(n, q->elem))
        return rg_error_set(err, RG_INPUT, "%s holds %s, but %s is of type %s: save it with that type", path, has,
                            q->name, q->c_elem);
    *fits = false;
    if (!extents(p, param, s, dims, wants, sizeof wants)) return RG_OK;
    *fits = shape_fits(n, dims, q->kind == RG_PARAM_ARRAY ? q->n_dims : 0);
    return RG_OK;
}

enum rg_status rg__npy_fits(const char *path, const struct rg_problem *p, int param, const struct rg_sizes *s,
                            bool *fits, struct rg_error *err)
{
    struct image im;
    enum rg_status st = image_open(path, &im, err);
    if (st != RG_OK) return st;
    struct rg_npy n;
    st = rg__npy_parse(im.data, im.len, path, &n, err);
    if (st == RG_OK) st = check_file(p, param, s, path, &n, fits, err);
    munmap(im.data, im.len);
    return st;
}

enum rg_status rg__input_load(const char *path, const struct rg_problem *p, int param, const struct rg_sizes *s,
                              void *to, struct rg_error *err)
{
    struct image im;
    enum rg_status st = image_open(path, &im, err);
    if (st != RG_OK) return st;
    struct rg_npy n;
    bool fits = false;
    st = rg__npy_parse(im.data, im.len, path, &n, err);
    if (st == RG_OK) st = check_file(p, param, s, path, &n, &fits, err);
    if (st == RG_OK && !fits) {
        char has[160], wants[160];
        int64_t dims[RG_NPY_MAX_DIMS];
        rg__npy_describe(&n, has, sizeof has);
        if (!extents(p, param, s, dims, wants, sizeof wants)) snprintf(wants, sizeof wants, "(unknown)");
        st = rg_error_set(err, RG_INPUT, "%s holds %s, but %s has shape %s at these sizes", path, has,
                          p->params[param].name, wants);
    }
    if (st == RG_OK && to) memcpy(to, n.data, (size_t)(n.elements * n.bytes));
    munmap(im.data, im.len);
    return st;
}
