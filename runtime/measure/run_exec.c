/* A plan over a device: the functions that rg_plan_run calls. */
#include "runtime/data/half.h"
#include "runtime/measure/runner.h"
#include <rg/file.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    ARG_BYTES = 16,
    HELD_LAUNCHES = 256 /* of a watched run, that are marked behind a hold */
};

void rg__exec_init(struct rg_exec *x, struct rg_runner *r, const struct rg_loaded *l, const struct rg_resident *c)
{
    *x = (struct rg_exec){.r = r, .l = l, .c = c, .fault = {RG_OUTCOME_OK, ""}};
}

void rg__exec_release(struct rg_exec *x)
{
    for (int i = 0; i < x->n_scratch; i++) x->r->device.release(x->r->device.self, x->scratch[i].addr);
    free(x->scratch);
    x->scratch = NULL;
    x->n_scratch = 0;
    rg__watch_release(x);
}

/* Ends rg_plan_run when the candidate did something wrong: the fault says what. */
static enum rg_status stop_at(const struct rg_exec *x, enum rg_status s, struct rg_error *err)
{
    if (s != RG_OK || x->fault.outcome == RG_OUTCOME_OK) return s;
    return rg_error_set(err, RG_CANCELED, "%s", x->fault.message);
}

struct place {
    rg_addr addr;
    int64_t bytes, elem_bytes;
    enum rg_scalar elem;
};

static enum rg_status place_of(const struct rg_exec *x, int handle, struct place *out, struct rg_error *err)
{
    int n = x->r->problem->n_params;
    if (handle >= 0 && handle < n && x->c->buffers[handle]) {
        const struct rg_param *q = &x->r->problem->params[handle];
        *out = (struct place){x->c->buffers[handle], x->c->layout.slots[handle].bytes, q->elem_bytes, q->elem};
        return RG_OK;
    }
    if (handle >= n && handle < n + x->n_scratch) {
        const struct rg_exec_scratch *t = &x->scratch[handle - n];
        *out = (struct place){t->addr, t->bytes, t->elem_bytes, t->elem};
        return RG_OK;
    }
    return rg_error_set(err, RG_BUG, "plan: no buffer %d", handle);
}

/* `bytes` of buffer `p` from `offset`, inside it. */
static enum rg_status inside(const struct place *p, int64_t offset, int64_t bytes, struct rg_error *err)
{
    if (offset < 0 || bytes < 0 || bytes > p->bytes || offset > p->bytes - bytes)
        return rg_error_set(err, RG_INPUT, "plan: bytes %lld to %lld of a buffer that has %lld", (long long)offset,
                            (long long)(offset + bytes), (long long)p->bytes);
    return RG_OK;
}

static int64_t memory_used(const struct rg_exec *x)
{
    int64_t n = 0;
    for (int i = 0; i < x->n_scratch; i++) n += x->scratch[i].bytes;
    return n;
}

static enum rg_status scratch(void *arg, const char *name, enum rg_scalar elem, int struct_index, int64_t elements,
                              int *handle, struct rg_error *err)
{
    struct rg_exec *x = arg;
    int64_t size = elem == RG_STRUCT && struct_index >= 0 ? x->r->problem->structs[struct_index].bytes
                                                          : (int64_t)rg_scalar_bytes(elem);
    int64_t bytes;
    if (elements <= 0 || size <= 0 || __builtin_mul_overflow(elements, size, &bytes))
        return rg_error_set(err, RG_INPUT, "plan: scratch %s of %lld elements", name, (long long)elements);
    int i = x->next_scratch++;
    *handle = x->r->problem->n_params + i;
    if (i < x->n_scratch && x->scratch[i].bytes == bytes) {
        x->scratch[i].elem = elem;
        x->scratch[i].elem_bytes = size;
        return RG_OK;
    }
    if (i < x->n_scratch) return rg_error_set(err, RG_INPUT, "plan: the size of scratch %s changes between runs", name);
    int64_t limit = x->r->limit_memory > 0 ? x->r->limit_memory : x->r->device.facts.memory_bytes;
    if (limit > 0 && bytes > limit - memory_used(x)) {
        rg__fault_set(&x->fault, RG_OUTCOME_UNSUPPORTED,
                      "scratch %s of %lld bytes exceeds the device memory allowed (%lld)", name, (long long)bytes,
                      (long long)limit);
        return stop_at(x, RG_OK, err);
    }
    struct rg_error e = RG_ERROR_INIT;
    rg_addr addr;
    struct rg_device *d = &x->r->device;
    if (d->alloc(d->self, (size_t)bytes, name, &addr, &e) != RG_OK) {
        if (e.status != RG_NOMEM && e.status != RG_LIMIT) return rg_error_set(err, e.status, "%s", e.text);
        rg__fault_set(&x->fault, RG_OUTCOME_UNSUPPORTED, "no device memory for scratch %s of %lld bytes", name,
                      (long long)bytes);
        return stop_at(x, RG_OK, err);
    }
    RG_GROW(x->scratch, x->n_scratch, x->cap_scratch);
    x->scratch[x->n_scratch++] = (struct rg_exec_scratch){addr, bytes, size, elem};
    enum rg_status s = d->fill(d->self, addr, (size_t)bytes, 1, RG_POISON, err);
    if (s == RG_OK && d->undefined) d->undefined(d->self, addr, (size_t)bytes, false);
    return s;
}

enum rg_status rg__exec_poison_scratch(struct rg_exec *x, struct rg_error *err)
{
    struct rg_device *d = &x->r->device;
    for (int i = 0; i < x->n_scratch; i++) {
        enum rg_status s = d->fill(d->self, x->scratch[i].addr, (size_t)x->scratch[i].bytes, 1, RG_POISON, err);
        if (s != RG_OK) return s;
    }
    return RG_OK;
}

/* A number as the kernel takes it. */
static size_t store_number(enum rg_scalar t, unsigned char *to, bool real, int64_t i, double d)
{
    if (rg_scalar_is_real(t))
        rg__store_real(t, to, real ? d : (double)i);
    else
        rg__store_int(t, to, real ? (int64_t)d : i);
    return rg_scalar_bytes(t);
}

static enum rg_status argument(struct rg_exec *x, const struct rg_plan_value *v, struct rg_arena *a, const void **arg,
                               size_t *bytes, struct rg_error *err)
{
    const struct rg_problem *p = x->r->problem;
    unsigned char *to = rg_arena_alloc(a, ARG_BYTES);
    *arg = to;
    enum rg_scalar t = v->type.type;
    switch (v->kind) {
    case RG_ARG_BUFFER: {
        struct place b;
        enum rg_status s = place_of(x, v->buffer, &b, err);
        if (s == RG_OK) s = inside(&b, v->offset * b.elem_bytes, 0, err);
        if (s != RG_OK) return s;
        rg_addr at = b.addr + (rg_addr)(v->offset * b.elem_bytes);
        memcpy(to, &at, sizeof at);
        *bytes = sizeof at;
        return RG_OK;
    }
    case RG_ARG_INT:
        *bytes = store_number(t, to, false, v->offset, 0);
        break;
    case RG_ARG_REAL:
        *bytes = store_number(t, to, true, 0, v->real);
        break;
    case RG_ARG_SCALAR: {
        if (v->param < 0 || v->param >= p->n_params)
            return rg_error_set(err, RG_BUG, "plan: no parameter %d", v->param);
        const struct rg_param *q = &p->params[v->param];
        const unsigned char *from = (const unsigned char *)x->c->data.data + x->c->layout.slots[v->param].input;
        if (q->elem == RG_STRUCT || t == RG_STRUCT) {
            *bytes = (size_t)q->elem_bytes;
            *arg = from;
            return RG_OK;
        }
        bool real = rg_scalar_is_real(q->elem);
        *bytes = q->elem == t ? (size_t)q->elem_bytes
                              : store_number(t, to, real, real ? 0 : rg__load_int(q->elem, from),
                                             real ? rg__load_real(q->elem, from) : 0);
        if (q->elem == t) memcpy(to, from, (size_t)q->elem_bytes);
        return RG_OK;
    }
    }
    return *bytes ? RG_OK : rg_error_set(err, RG_INPUT, "plan: an argument's type cannot be passed");
}

static enum rg_status launch(void *arg, const struct rg_plan_launch *l, struct rg_error *err)
{
    struct rg_exec *x = arg;
    struct rg_arena a = RG_ARENA_INIT;
    const void **args = rg_arena_alloc(&a, (size_t)(l->n_args + 1) * sizeof *args);
    size_t *bytes = rg_arena_alloc(&a, (size_t)(l->n_args + 1) * sizeof *bytes);
    enum rg_status s = RG_OK;
    for (int i = 0; i < l->n_args && s == RG_OK; i++) s = argument(x, &l->args[i], &a, &args[i], &bytes[i], err);
    struct rg_launch k = {.module = x->l->module,
                          .kernel = l->kernel,
                          .shared_bytes = l->shared_bytes,
                          .cooperative = l->cooperative,
                          .n_args = l->n_args,
                          .args = args,
                          .arg_bytes = bytes};
    for (int i = 0; i < 3; i++) {
        k.grid[i] = l->grid[i];
        k.block[i] = l->block[i];
        k.cluster[i] = l->cluster[i];
    }
    struct rg_device *d = &x->r->device;
    bool marks = rg__watch_marks(x);
    double from = x->watch.kernels && d->clock ? d->clock(d->self) : 0;
    x->launches++;
    if (x->until > 0 && rg_now() > x->until)
        rg__fault_set(&x->fault, RG_OUTCOME_TIMEOUT, "it took too long");
    else {
        /* else a mark on an idle stream is as early as the launch behind it is late */
        bool held = marks && d->hold && (x->launches <= HELD_LAUNCHES || x->waits != x->watch.waits);
        x->watch.waits = x->waits;
        if (s == RG_OK && held) s = d->hold(d->self, err);
        if (s == RG_OK && marks) s = rg__watch_mark(x, false, err);
        if (s == RG_OK) s = d->launch(d->self, &k, &x->fault, err);
        if (s == RG_OK && marks) s = rg__watch_mark(x, true, err);
        if (held) d->release_hold(d->self, NULL);
        if (s == RG_OK && x->watch.kernels && (marks || d->clock))
            rg__watch_launch(x, l, marks ? -1 : d->clock(d->self) - from);
    }
    rg_arena_release(&a);
    return stop_at(x, s, err);
}

static enum rg_status resident(void *arg, const struct rg_plan_launch *l, int64_t *blocks, struct rg_error *err)
{
    struct rg_exec *x = arg;
    struct rg_device *d = &x->r->device;
    return d->resident(d->self, x->l->module, l->kernel, (int)(l->block[0] * l->block[1] * l->block[2]),
                       l->shared_bytes, blocks, err);
}

static enum rg_status fill(void *arg, int buffer, int64_t elements, enum rg_scalar elem, int64_t value, double real,
                           bool is_real, struct rg_error *err)
{
    struct rg_exec *x = arg;
    struct place b;
    enum rg_status s = place_of(x, buffer, &b, err);
    if (s != RG_OK) return s;
    int64_t size = elem == RG_STRUCT ? b.elem_bytes : (int64_t)rg_scalar_bytes(elem);
    if (size <= 0 || elements < 0 || elements > b.bytes / size) s = inside(&b, 0, INT64_MAX, err);
    if (s != RG_OK) return s;
    unsigned char bits[ARG_BYTES] = {0};
    uint64_t v = 0;
    struct rg_device *d = &x->r->device;
    if (elem == RG_STRUCT) {
        if (is_real ? real != 0 : value != 0)
            return rg_error_set(err, RG_INPUT, "plan: structs can be filled with 0 only");
        return d->fill(d->self, b.addr, (size_t)(elements * size), 1, 0, err);
    }
    store_number(elem, bits, is_real, value, real);
    memcpy(&v, bits, (size_t)size);
    return d->fill(d->self, b.addr, (size_t)elements, (int)size, v, err);
}

static enum rg_status copy(void *arg, int to, int64_t to_offset, int from, int64_t from_offset, int64_t elements,
                           int64_t elem_bytes, struct rg_error *err)
{
    struct rg_exec *x = arg;
    struct place t, f;
    enum rg_status s = place_of(x, to, &t, err);
    if (s == RG_OK) s = place_of(x, from, &f, err);
    if (s == RG_OK) s = inside(&t, to_offset * elem_bytes, elements * elem_bytes, err);
    if (s == RG_OK) s = inside(&f, from_offset * elem_bytes, elements * elem_bytes, err);
    if (s != RG_OK || !elements) return s;
    struct rg_device *d = &x->r->device;
    return d->copy(d->self, t.addr + (rg_addr)(to_offset * elem_bytes), f.addr + (rg_addr)(from_offset * elem_bytes),
                   (size_t)(elements * elem_bytes), err);
}

static enum rg_status copy_symbol(void *arg, const char *symbol, int from, int64_t from_offset, int64_t elements,
                                  int64_t elem_bytes, struct rg_error *err)
{
    struct rg_exec *x = arg;
    struct place f;
    struct rg_device *d = &x->r->device;
    rg_addr to;
    size_t has;
    enum rg_status s = place_of(x, from, &f, err);
    if (s == RG_OK) s = inside(&f, from_offset * elem_bytes, elements * elem_bytes, err);
    if (s == RG_OK) s = d->symbol(d->self, x->l->module, symbol, &to, &has, err);
    if (s != RG_OK) return s;
    if ((size_t)(elements * elem_bytes) > has)
        return rg_error_set(err, RG_INPUT, "plan: copy of %lld bytes to symbol %s, which has %zu",
                            (long long)(elements * elem_bytes), symbol, has);
    return d->copy(d->self, to, f.addr + (rg_addr)(from_offset * elem_bytes), (size_t)(elements * elem_bytes), err);
}

static enum rg_status read_bytes(struct rg_exec *x, int buffer, int64_t index, enum rg_scalar elem,
                                 unsigned char *bytes, struct rg_error *err)
{
    struct place b;
    struct rg_device *d = &x->r->device;
    int64_t size = (int64_t)rg_scalar_bytes(elem);
    enum rg_status s = place_of(x, buffer, &b, err);
    if (s == RG_OK && (index < 0 || index >= b.bytes / (size ? size : 1)))
        s = rg_error_set(err, RG_INPUT, "plan: element %lld is read from a buffer of %lld", (long long)index,
                         (long long)(b.bytes / (size ? size : 1)));
    x->waits++;
    if (s == RG_OK) s = stop_at(x, d->sync(d->self, &x->fault, err), err);
    if (s == RG_OK) s = d->from_device(d->self, bytes, b.addr + (rg_addr)(index * size), (size_t)size, err);
    return s;
}

static enum rg_status read_one(void *arg, int buffer, int64_t index, enum rg_scalar elem, int64_t *value,
                               struct rg_error *err)
{
    unsigned char bytes[ARG_BYTES] = {0};
    enum rg_status s = read_bytes(arg, buffer, index, elem, bytes, err);
    if (s == RG_OK) *value = rg__load_int(elem, bytes);
    return s;
}

static enum rg_status read_real(void *arg, int buffer, int64_t index, enum rg_scalar elem, double *value,
                                struct rg_error *err)
{
    unsigned char bytes[ARG_BYTES] = {0};
    enum rg_status s = read_bytes(arg, buffer, index, elem, bytes, err);
    if (s == RG_OK) *value = rg__load_real(elem, bytes);
    return s;
}

static enum rg_status scalar(void *arg, int param, double *value, struct rg_error *err)
{
    struct rg_exec *x = arg;
    const struct rg_problem *p = x->r->problem;
    if (param < 0 || param >= p->n_params) return rg_error_set(err, RG_BUG, "plan: no parameter %d", param);
    *value =
        rg__load_real(p->params[param].elem, (const unsigned char *)x->c->data.data + x->c->layout.slots[param].input);
    return RG_OK;
}

enum rg_status rg__exec_run(struct rg_exec *x, struct rg_error *err)
{
    struct rg_plan_ops ops = {.arg = x,
                              .scratch = scratch,
                              .launch = launch,
                              .fill = fill,
                              .copy = copy,
                              .copy_symbol = copy_symbol,
                              .resident = resident,
                              .read = read_one,
                              .read_real = read_real,
                              .scalar = scalar};
    struct rg_error e = RG_ERROR_INIT;
    x->next_scratch = 0;
    x->launches = x->waits = 0;
    enum rg_status s = rg_plan_run(x->l->plan, x->r->problem, &x->r->problem->sizes[x->c->c.size], x->l->sigs, &ops,
                                   x->max_launches, &e);
    if (s == RG_OK || x->fault.outcome != RG_OUTCOME_OK) return RG_OK;
    char text[1400];
    rg_error_format(&e, text, sizeof text);
    switch (s) {
    case RG_INPUT:
        rg__fault_set(&x->fault, RG_OUTCOME_PLAN, "%.500s", text);
        return RG_OK;
    case RG_LIMIT:
        rg__fault_set(&x->fault, RG_OUTCOME_TIMEOUT, "%.500s", text);
        return RG_OK;
    default:
        return rg_error_set(err, s, "%s", text);
    }
}
