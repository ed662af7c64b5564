#include "runtime/reference/ref_call.h"
#include "runtime/os/bulk.h"
#include <errno.h>
#include <fenv.h>
#include <math.h>
#include <rg/buf.h>
#include <rg/file.h>
#include <rg/hash.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <ucontext.h>
#include <unistd.h>

enum { ALT_STACK = 1 << 16, STACK_BYTES = 256 << 20, INIT_SECONDS = 5 };

/* What the signal handler needs; one call at a time in this process. */
static struct {
    int out;
    const int64_t *current;
    const struct rg_call *call; /* NULL: not in the user's code */
    const char *where;          /* "n=100" */
    const char *function;
    bool (*place)(char *file, size_t size, int *line); /* where in the user's files; NULL nobody knows */
    sigjmp_buf *escape;                                /* where to go on after a fault; NULL: the process ends */
    bool gives_up;                                     /* there, too, when it takes too long */
    uintptr_t stack_end; /* about the lowest address that the stack may have; 0 nobody knows */
} active = {.out = -1};

static void put(char *line, size_t size, size_t *at, const char *text)
{
    for (; *text && *at + 2 < size; text++) {
        if (*text == '"' || *text == '\\') line[(*at)++] = '\\';
        line[(*at)++] = (unsigned char)*text < ' ' ? ' ' : *text;
    }
}

/* A fault close to the stack pointer, or above it, has to do with what lies on the stack. */
static bool near_stack(const void *address, const void *context)
{
    const ucontext_t *u = context;
#if defined(__x86_64__)
    uintptr_t sp = (uintptr_t)u->uc_mcontext.gregs[REG_RSP];
#elif defined(__aarch64__)
    uintptr_t sp = (uintptr_t)u->uc_mcontext.sp;
#else
    uintptr_t sp = 0;
    (void)u;
#endif
    uintptr_t at = (uintptr_t)address, reach = (uintptr_t)1 << 20;
    return sp && at + reach > sp;
}

/* Has the stack ended there? Elsewhere it is a subscript that leads out of an array on it. */
static bool below_stack(const void *address)
{
    uintptr_t gap = (uintptr_t)2 << 20; /* what the kernel keeps free below a stack */
    return !active.stack_end || (uintptr_t)address < active.stack_end + gap;
}

/* Members that are arrays: they travel in a structure on the stack of the call. */
static void name_members(const struct rg_problem *p, char *out, size_t size)
{
    size_t n = 0;
    out[0] = 0;
    for (int i = 0; i < p->n_params && n + 80 < size; i++) {
        const struct rg_param *q = &p->params[i];
        bool fixed = q->kind == RG_PARAM_ARRAY && !q->rows && strpbrk(rg_param_shown(q), ".>");
        for (int d = 0; d < q->n_dims && fixed; d++) fixed = q->dims[d] && q->dims[d]->kind == RG_EXPR_INT;
        if (fixed) n += (size_t)snprintf(out + n, size - n, " or of %.40s", rg_param_shown(q));
        for (int d = 0; d < q->n_dims && fixed; d++)
            n += (size_t)snprintf(out + n, n < size ? size - n : 0, "[%lld]", (long long)q->dims[d]->value);
    }
}

/* snprintf is not formally safe in a handler; it takes no locks for these formats, and the process ends here. */
static void on_signal(int sig, siginfo_t *info, void *context)
{
    if (!active.call || active.out < 0) {
        signal(sig, SIG_DFL);
        raise(sig);
        return;
    }
    if (active.escape && (sig != SIGVTALRM || active.gives_up)) siglongjmp(*active.escape, 1);
    const char *what = sig == SIGSEGV   ? "segmentation fault"
                       : sig == SIGBUS  ? "bus error"
                       : sig == SIGFPE  ? "division by zero"
                       : sig == SIGABRT ? "it called abort, or an assert failed"
                                        : "illegal instruction";
    char place[200] = "", text[600], line[2400];
    bool known =
        (sig == SIGSEGV || sig == SIGBUS) &&
        rg__guarded_explain(active.call->buffers, active.call->problem->n_params, info->si_addr, place, sizeof place);
    /* x86: an address beyond what a process can have, as a subscript from a stack near the top of it gives (from the
     * stack pointer itself: a bus error); it is not
     * told */
    bool beyond = (sig == SIGSEGV || sig == SIGBUS) && !known && info->si_code == SI_KERNEL;
    bool stack = sig == SIGSEGV && !known && !beyond && near_stack(info->si_addr, context);
    if (known)
        snprintf(text, sizeof text,
                 "%s touches memory out of bounds at %s: %s. Check the extents (`#pragma regraph extent(...)`), "
                 "the sizes and the values of index inputs (`#pragma regraph input(...)`)",
                 active.function, active.where, place);
    else
        snprintf(text, sizeof text, "%s crashes at %s: %s%s", active.function, active.where, what,
                 stack && below_stack(info->si_addr) ? " (the stack may have overflowed: large local arrays?)" : "");
    if (sig == SIGVTALRM)
        snprintf(text, sizeof text,
                 "%s did not return within %d s at %s: does it loop for ever? `--init none` leaves it out, inputs are "
                 "random then",
                 active.function, INIT_SECONDS, active.where);
    if (beyond || (stack && !below_stack(info->si_addr))) {
        name_members(active.call->problem, place, sizeof place);
        snprintf(
            text, sizeof text,
            "%s crashes at %s: %s: a subscript leads far out of a local array%s%s. Check the values of index inputs "
            "(`#pragma regraph input(...)`)",
            active.function, active.where, what, place, beyond ? ", or a pointer was never set" : "");
    }
    char file[400] = "";
    int row = 0;
    if (!active.place || !active.place(file, sizeof file, &row)) file[0] = 0, row = 0;
    size_t n = (size_t)snprintf(line, sizeof line, "{\"msg\":\"error\",\"id\":%lld,\"status\":\"%s\",\"file\":\"",
                                (long long)*active.current, sig == SIGVTALRM ? "LIMIT" : "INPUT");
    put(line, sizeof line - 100, &n, file);
    n += (size_t)snprintf(line + n, sizeof line - n, "\",\"line\":%d,\"column\":0,\"text\":\"", row);
    put(line, sizeof line - 4, &n, text);
    line[n++] = '"';
    line[n++] = '}';
    line[n++] = '\n';
    rg__call_answer(line, n);
}

void rg__call_answer(const char *line, size_t len)
{
    ssize_t w = write(active.out, line, len);
    _exit(w == (ssize_t)len ? 0 : 1);
}

void rg__call_where(bool (*where)(char *file, size_t size, int *line))
{
    active.place = where;
}

void rg__call_catch(int out, const int64_t *current)
{
    active.out = out;
    active.current = current;
    static char alt[ALT_STACK] __attribute__((aligned(16)));
    stack_t st = {.ss_sp = alt, .ss_size = sizeof alt};
    sigaltstack(&st, NULL);
    struct sigaction a = {.sa_flags = SA_SIGINFO | SA_ONSTACK};
    a.sa_sigaction = on_signal;
    static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGVTALRM};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) sigaction(signals[i], &a, NULL);
    struct rlimit lim;
    if (!getrlimit(RLIMIT_STACK, &lim)) { /* room for large local arrays, an end to endless recursion */
        rlim_t room = (rlim_t)STACK_BYTES;
        lim.rlim_cur = lim.rlim_max == RLIM_INFINITY || lim.rlim_max > room ? room : lim.rlim_max;
        if (!setrlimit(RLIMIT_STACK, &lim))
            active.stack_end = (uintptr_t)__builtin_frame_address(0) - (uintptr_t)lim.rlim_cur;
    }
    struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
}

enum rg_status rg__call_new(struct rg_call *c, const struct rg_problem *p, const struct rg_library *l,
                            const struct rg_layout *layout, bool at_end, struct rg_error *err)
{
    size_t n = (size_t)p->n_params + 1;
    *c = (struct rg_call){.problem = p, .library = l, .layout = layout};
    c->buffers = rg_xcalloc(n, sizeof *c->buffers);
    c->a = rg_xcalloc(n, sizeof *c->a);
    c->bytes = rg_xcalloc(n, sizeof *c->bytes);
    for (int i = 0; i < p->n_params; i++) {
        int64_t size = l->params[i].elem_bytes, bytes;
        if (__builtin_mul_overflow(layout->slots[i].elements, size, &bytes))
            return rg_error_set(err, RG_INPUT, "parameter %s is too large", rg_param_shown(&p->params[i]));
        /* a scalar goes by value: its place is aligned for any type */
        bool scalar = p->params[i].kind == RG_PARAM_SCALAR;
        enum rg_status s =
            rg__guarded_new(&c->buffers[i], rg_param_shown(&p->params[i]), (size_t)bytes, size, at_end && !scalar, err);
        if (s != RG_OK) return s;
        c->a[i] = c->buffers[i].data;
        c->bytes[i] = c->buffers[i].bytes;
    }
    return RG_OK;
}

void rg__call_free(struct rg_call *c)
{
    for (int i = 0; c->buffers && i < c->problem->n_params; i++) rg__guarded_free(&c->buffers[i]);
    free(c->buffers);
    free(c->a);
    free(c->bytes);
    *c = (struct rg_call){.problem = NULL};
}

static void store_as(int type, void *to, double v)
{
    if (type == RG_SHIM_LONG_DOUBLE) {
        long double d = v;
        memcpy(to, &d, sizeof d);
    } else {
        rg__store_real((enum rg_scalar)type, to, v);
    }
}

static double load_as(int type, const void *from)
{
    if (type != RG_SHIM_LONG_DOUBLE) return rg__load_real((enum rg_scalar)type, from);
    long double d;
    memcpy(&d, from, sizeof d);
    return (double)d;
}

static long size_as(int type)
{
    return type == RG_SHIM_LONG_DOUBLE ? (long)sizeof(long double) : (long)rg_scalar_bytes((enum rg_scalar)type);
}

/* Where this build keeps part k of an element. */
static struct rg_shim_field shim_part(const struct rg_shim_param *s, int k)
{
    if (s->n_fields > 0 && s->type == RG_STRUCT) return s->fields[k];
    return (struct rg_shim_field){"", s->type, 0, 1};
}

/* The problem's bytes into this build's types. */
static void convert_in(const struct rg_call *c, int param, const unsigned char *from)
{
    const struct rg_param *q = &c->problem->params[param];
    const struct rg_shim_param *s = &c->library->params[param];
    int64_t n = c->layout->slots[param].elements;
    struct rg_parts parts;
    rg__parts(c->problem, param, &parts);
    bool same = s->elem_bytes == q->elem_bytes;
    for (int k = 0; k < parts.n; k++) same = same && shim_part(s, k).type == (int)parts.fields[k].type;
    if (same) {
        rg__bulk_copy(c->a[param], from, (size_t)(n * q->elem_bytes));
        return;
    }
    for (int64_t i = 0; i < n; i++)
        for (int k = 0; k < parts.n; k++) {
            const struct rg_field *f = &parts.fields[k];
            struct rg_shim_field t = shim_part(s, k);
            int64_t size = (int64_t)rg_scalar_bytes(f->type);
            for (int64_t e = 0; e < f->count; e++) {
                const unsigned char *src = from + i * q->elem_bytes + f->offset + e * size;
                unsigned char *dst = (unsigned char *)c->a[param] + i * s->elem_bytes + t.offset + e * size_as(t.type);
                if (rg_scalar_is_real(f->type))
                    store_as(t.type, dst, rg__load_real(f->type, src));
                else
                    memcpy(dst, src, (size_t)size);
            }
        }
}

void rg__call_load(struct rg_call *c, const void *base, int poison)
{
    for (int i = 0; i < c->problem->n_params; i++) {
        const struct rg_slot *t = &c->layout->slots[i];
        if (t->input >= 0)
            convert_in(c, i, (const unsigned char *)base + t->input);
        else
            rg__bulk_set(c->a[i], poison, c->buffers[i].bytes);
    }
}

/* A count, a flag, a place on a grid: values that half the significant bits hold are exact, not rounded ones. */
static bool few_bits(enum rg_scalar t, double v)
{
    int e, half = t == RG_F64 ? 26 : t == RG_F32 ? 12 : 5;
    double m = ldexp(frexp(v, &e), half);
    return m == rint(m);
}

/* Towards zero, so that x < 1 stays so; in the build's type, which is wider where it is the oracle's, so that it is not
 * lost. Drawn by the value: equal ones stay equal, so that ties and symmetries are not broken. */
void rg__call_nudge(struct rg_call *c, uint64_t seed)
{
    for (int param = 0; param < c->problem->n_params; param++) {
        const struct rg_slot *t = &c->layout->slots[param];
        const struct rg_shim_param *s = &c->library->params[param];
        struct rg_parts parts;
        rg__parts(c->problem, param, &parts);
        for (int k = 0; k < parts.n && t->input >= 0; k++) {
            const struct rg_field *f = &parts.fields[k];
            struct rg_shim_field to = shim_part(s, k);
            if (!rg_scalar_is_real(f->type)) continue;
            double eps = rg_scalar_epsilon(f->type);
            for (int64_t i = 0; i < t->elements; i++)
                for (int64_t e = 0; e < f->count; e++) {
                    unsigned char *at =
                        (unsigned char *)c->a[param] + i * s->elem_bytes + to.offset + e * size_as(to.type);
                    double v = load_as(to.type, at);
                    uint64_t bits;
                    memcpy(&bits, &v, sizeof bits);
                    if (isfinite(v) && !few_bits(f->type, v) && !(rg_mix64(bits + (seed << 48)) & 1))
                        store_as(to.type, at, v * (1 - eps));
                }
        }
    }
}

static enum rg_status guards(const struct rg_call *c, const char *where, struct rg_error *err)
{
    for (int i = 0; i < c->problem->n_params; i++) {
        enum rg_status s = rg__guarded_check(&c->buffers[i], err);
        if (s == RG_OK) continue;
        rg_error_prefix(err, "%s at %s", c->problem->function, where);
        return s;
    }
    return RG_OK;
}

static void enter(const struct rg_call *c, const char *where)
{
    active.where = where;
    active.function = c->problem->function;
    active.call = c;
    if (c->library->supplied) c->library->supplied(c->a, c->bytes, c->problem->n_params);
}

static void leave(const struct rg_call *c)
{
    active.call = NULL;
    if (c->library->supplied) c->library->supplied(NULL, NULL, 0);
}

enum rg_status rg__call_run(struct rg_call *c, const char *where, double *seconds, struct rg_error *err)
{
    fenv_t env;
    fegetenv(&env);
    enter(c, where);
    c->library->in(c->a);
    if (c->watch) c->watch(c->watch_arg, true);
    feclearexcept(FE_INVALID);
    double start = rg_now();
    c->library->call(c->a);
    if (seconds) *seconds = rg_now() - start;
    c->invalid = fetestexcept(FE_INVALID) != 0;
    if (c->watch) c->watch(c->watch_arg, false);
    c->library->out(c->a);
    leave(c);
    fesetenv(&env); /* a function that changed the rounding mode must not change our comparisons */
    return guards(c, where, err);
}

/* Seconds of the processor until SIGVTALRM; 0: none comes. */
static void alarm_after(int seconds)
{
    const struct itimerval t = {.it_value.tv_sec = seconds};
    setitimer(ITIMER_VIRTUAL, &t, NULL);
}

enum rg_status rg__call_init(struct rg_call *c, const char *where, struct rg_init_care care, struct rg_error *err)
{
    if (!c->library->init) return rg_error_set(err, RG_BUG, "the shim has no init function");
    sigjmp_buf escape;
    enter(c, where);
    active.function = c->problem->init_function;
    if (sigsetjmp(escape, 1)) {
        active.escape = NULL;
        alarm_after(0);
        leave(c);
        return rg_error_set(err, RG_INPUT, "%s fails at %s", c->problem->init_function, where);
    }
    active.escape = care.may_fail ? &escape : NULL;
    active.gives_up = care.may_hang;
    if (!care.patient) alarm_after(INIT_SECONDS);
    c->library->in(c->a); /* the init function may fill file-scope variables */
    c->library->init(c->a);
    c->library->out(c->a);
    alarm_after(0);
    active.escape = NULL;
    leave(c);
    enum rg_status s = guards(c, where, err);
    if (s == RG_OK && c->library->init_missed && *c->library->init_missed)
        return rg_error_set(err, RG_INPUT, "%s is for other sizes than %s", c->problem->init_function, where);
    if (s != RG_OK) rg_error_prefix(err, "init function");
    return s;
}

double rg__call_real(const struct rg_call *c, int param, int64_t i, int64_t k)
{
    const struct rg_shim_param *s = &c->library->params[param];
    struct rg_parts parts;
    rg__parts(c->problem, param, &parts);
    for (int f = 0; f < parts.n; f++) {
        if (!rg_scalar_is_real(parts.fields[f].type)) continue;
        if (k >= parts.fields[f].count) {
            k -= parts.fields[f].count;
            continue;
        }
        struct rg_shim_field t = shim_part(s, f);
        return load_as(t.type, (const unsigned char *)c->a[param] + i * s->elem_bytes + t.offset + k * size_as(t.type));
    }
    return 0;
}

void rg__call_reals(const struct rg_call *c, int param, int64_t from, int n, double *out)
{
    const struct rg_shim_param *s = &c->library->params[param];
    struct rg_shim_field t = shim_part(s, 0);
    const unsigned char *base = (const unsigned char *)c->a[param] + t.offset + from * s->elem_bytes;
    for (int i = 0; i < n; i++) out[i] = load_as(t.type, base + i * s->elem_bytes);
}

bool rg__call_same_integers(const struct rg_call *c, int param, int64_t elements, const void *as)
{
    const struct rg_shim_param *s = &c->library->params[param];
    struct rg_parts parts;
    rg__parts(c->problem, param, &parts);
    for (int f = 0; f < parts.n; f++) {
        if (rg_scalar_is_real(parts.fields[f].type)) continue;
        struct rg_shim_field t = shim_part(s, f);
        size_t bytes = (size_t)parts.fields[f].count *
                       rg_scalar_bytes(parts.fields[f].type); /* integers have one type in every build */
        for (int64_t i = 0; i < elements; i++)
            if (memcmp((const unsigned char *)c->a[param] + i * s->elem_bytes + t.offset,
                       (const unsigned char *)as + i * c->problem->params[param].elem_bytes + parts.fields[f].offset,
                       bytes))
                return false;
    }
    return true;
}
