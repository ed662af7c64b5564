/* Tries the file's program (program_text.c): it is compiled behind the user's file and run to its call of the function,
 * once as it is and with its numbers divided, and says the sizes that it would call it with. Where that call is done
 * before a GPU could have begun, the numbers are multiplied for the size that is timed: main shows how it is done. */
#include "frontend/emit/program.h"
#include "frontend/infer/infer.h"
#include "frontend/read/read.h"
#include <errno.h>
#include <fcntl.h>
#include <rg/file.h>
#include <rg/log.h>
#include <rg/proc.h>
#include <math.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static const double compile_seconds = 20, first_seconds = 10, other_seconds = 2;
static const double little = 1e-3, enough = 0.05; /* seconds of the call */
static const double larger_seconds = 4;           /* for all sizes above main's together, at most */

struct calls {
    const struct rg__load *l;
    bool *to;
};

static void note_call(void *arg, CXCursor x)
{
    struct calls *c = arg;
    const struct rg__unit *u = &c->l->unit;
    int f = u->c->getCursorKind(x) == CXCursor_CallExpr ? rg__unit_function(u, u->c->getCursorReferenced(x)) : -1;
    if (f >= 0) c->to[f] = true;
}

struct constants { /* named numbers that a function uses: the places of their declarations */
    const struct rg__load *l;
    int n, cap;
    uint32_t *keys;
};

static void note_constant(void *arg, CXCursor x)
{
    struct constants *c = arg;
    CXCursor d;
    if (!rg__program_constant(c->l, x, &d)) return;
    RG_GROW(c->keys, c->n, c->cap);
    c->keys[c->n++] = rg__decl_key(&c->l->unit, d);
}

static struct constants constants_of(const struct rg__load *l, int function)
{
    struct constants c = {.l = l};
    rg__cursor_walk(&l->unit, l->unit.functions[function].body, note_constant, &c);
    return c;
}

static bool share_one(const struct constants *a, const struct constants *b)
{
    for (int i = 0; i < a->n; i++)
        for (int k = 0; k < b->n; k++)
            if (a->keys[i] == b->keys[k]) return true;
    return false;
}

/* Who is reached and leads to the function. */
static void follow(const struct rg__load *l, const bool *calls, bool *reached, bool *leads)
{
    const int n = l->unit.n_functions;
    for (bool more = true; more;) {
        more = false;
        for (int f = 0; f < n; f++)
            for (int g = 0; g < n; g++) {
                if (!calls[(size_t)f * (size_t)n + (size_t)g]) continue;
                if (reached[f] && f != l->function && !reached[g]) reached[g] = more = true;
                if (leads[g] && !leads[f]) leads[f] = more = true;
            }
    }
}

/* The functions on ways from main to the function, main first, and behind them those that these call and that go by
 * the same named numbers: both are divided. False: there is no way. */
static bool find_path(struct rg__load *l)
{
    const struct rg__unit *u = &l->unit;
    int n = u->n_functions, start = rg__unit_function_named(u, "main");
    if (start < 0 || start == l->function) return false;
    bool *calls = rg_xcalloc((size_t)n * (size_t)n + 1, 1), *reached = rg_xcalloc((size_t)n + 1, 1),
         *leads = rg_xcalloc((size_t)n + 1, 1);
    for (int f = 0; f < n; f++)
        rg__cursor_walk(u, u->functions[f].body, note_call, &(struct calls){l, calls + (size_t)f * (size_t)n});
    reached[start] = leads[l->function] = true;
    follow(l, calls, reached, leads);
    struct rg__program *g = &l->program;
    g->path = rg_arena_alloc(&l->dirs.arena, ((size_t)n + 1) * sizeof *g->path);
    g->n_path = 0;
    if (leads[start]) g->path[g->n_path++] = start;
    for (int f = 0; f < n && g->n_path; f++)
        if (f != start && f != l->function && reached[f] && leads[f]) g->path[g->n_path++] = f;
    g->n_ways = g->n_path;
    struct constants mine = {.l = l};
    for (int k = 0; k < g->n_ways; k++) rg__cursor_walk(u, u->functions[g->path[k]].body, note_constant, &mine);
    for (int f = 0; f < n && mine.n; f++) {
        struct constants own = {.l = l};
        if (reached[f] && !leads[f]) own = constants_of(l, f);
        leads[f] |= share_one(&mine, &own);
        free(own.keys);
    }
    if (mine.n) follow(l, calls, reached, leads);
    for (int f = 0; f < n && g->n_path; f++) {
        bool on = f == l->function || !reached[f] || !leads[f];
        for (int k = 0; k < g->n_ways; k++) on |= g->path[k] == f;
        if (!on) g->path[g->n_path++] = f;
    }
    free(mine.keys);
    free(calls);
    free(reached);
    free(leads);
    return g->n_path > 0;
}

/* Is it known how long all is that the function allocates for the structure's members? Then the shim copies it. */
static bool lengths_known(const struct rg__load *l, int function, int carrier)
{
    for (int i = 0; i < l->p->n_params; i++) {
        const struct rg__origin *o = &l->b.origins[i];
        int k = o->layout == RG__PART && o->pointer ? o->parent : -1;
        while (k >= 0 && k != carrier) k = l->b.carriers[k].parent;
        const struct rg__fact *f = k >= 0 ? rg__fact_of(l, function, rg_param_shown(&l->p->params[i])) : NULL;
        if (k >= 0 && (!f || !f->n_dims || f->n_dims != l->p->params[i].n_dims)) return false;
    }
    return true;
}

/* What a set-up function is given and parks, a time step, a box, particles: its caller chose that, not the function. */
static bool chosen_by_caller(const struct rg__load *l, int function, const char *name)
{
    const int q = rg__parked_in(l, function, name);
    const struct rg_param *p = q >= 0 ? &l->p->params[q] : NULL;
    return p && p->origin == RG_ORIGIN_GLOBAL && (p->kind == RG_PARAM_ARRAY || rg_scalar_is_real(p->elem));
}

/* A set-up function that is named: may it be called with the problem's parameters (infer/user_directives.c), and would
 * these be such as it is made for? */
static bool fits(struct rg__load *l, int function)
{
    struct rg__children kids = rg__cursor_children(&l->unit, l->unit.functions[function].cursor, &l->dirs.arena);
    CXType back = l->b.c->getResultType(l->b.c->getCursorType(l->unit.functions[function].cursor));
    if (l->b.c->getCanonicalType(back).kind == CXType_Pointer) return false;
    for (int i = 0; i < kids.n; i++) {
        if (l->b.c->getCursorKind(kids.items[i]) != CXCursor_ParmDecl) continue;
        const char *meant = rg__structure_meant(l, kids.items[i]);
        const char *name = meant ? meant : rg__cursor_name(&l->unit, kids.items[i], &l->dirs.arena);
        if (chosen_by_caller(l, function, name)) return false;
        if (rg__stands_for(l, function, name) >= 0) continue;
        const int carrier = rg__carrier_named(l, name);
        if (carrier < 0 || (rg__allocates(l, function) && !lengths_known(l, function, carrier))) return false;
    }
    return true;
}

/* An integer of a structure that the function changes: no size, which callers' facts would say, and what a function
 * that fills the structure's arrays goes by, and does not set. */
static bool is_cell(const struct rg__load *l, int param)
{
    const struct rg_param *q = &l->p->params[param];
    const struct rg__origin *o = &l->b.origins[param];
    return q->kind == RG_PARAM_ARRAY && q->origin == RG_ORIGIN_GLOBAL && o->layout == RG__PART && !o->pointer &&
           rg__scalar_is_int(q->elem) && q->n_dims == 1 && q->dims[0] && q->dims[0]->kind == RG_EXPR_INT &&
           q->dims[0]->value == 1;
}

/* Which parameter of the set-up function that is, among those that the user can give; -1. */
static int set_up_argument(const struct rg__load *l, const char *name)
{
    struct rg_arena *a = (struct rg_arena *)&l->dirs.arena;
    struct rg__children kids = rg__cursor_children(&l->unit, l->unit.functions[l->program.set_up].cursor, a);
    for (int i = 0, k = 0; i < kids.n && k < RG__PROGRAM_ARGS; i++) {
        if (l->b.c->getCursorKind(kids.items[i]) != CXCursor_ParmDecl) continue;
        if (!strcmp(rg__cursor_name(&l->unit, kids.items[i], a), name)) return k;
        k++;
    }
    return -1;
}

/* Structures are followed as the set-up function makes them of its numbers: it is called with these at any size. */
static bool shape_stays(struct rg__load *l)
{
    struct rg__program *g = &l->program;
    if (l->shape_of != g->set_up) return false;
    for (int i = 0; i < l->n_set; i++) {
        const int k = set_up_argument(l, l->set[i].name);
        if (k < 0) return false;
        g->is_given[k] = g->stays[k] = true;
        g->given[k] = l->set[i].value;
    }
    return true;
}

static bool wanted(struct rg__load *l)
{
    bool state = false, sized = false;
    l->program.set_up = -1;
    for (int i = 0; i < l->dirs.n; i++) {
        const struct rg__directive *d = &l->dirs.items[i];
        sized |= d->kind == RG__DIR_SIZE;
        if (d->kind != RG__DIR_INIT) continue;
        if ((l->program.set_up = rg__unit_function_named(&l->unit, d->text)) < 0) return false;
    }
    if (l->o->n_with || !rg__program_reads(l)) return false;
    const int set_up = l->program.set_up;
    if (set_up >= 0) /* main, whatever it takes, makes what it calls the function with */
        return (!l->shape || shape_stays(l)) &&
               (set_up == rg__unit_function_named(&l->unit, "main") || !fits(l, set_up));
    bool real = false; /* a time step, a tolerance: functions that fill arrays do not choose it */
    for (int i = 0; i < l->p->n_params; i++) {
        const struct rg_param *q = &l->p->params[i];
        state |= q->origin == RG_ORIGIN_GLOBAL;
        real |= is_cell(l, i) || l->b.origins[i].layout == RG__COLUMN; /* nor the structures of an array */
        real |= q->origin == RG_ORIGIN_ARG && q->kind == RG_PARAM_SCALAR && rg_scalar_is_real(q->elem);
    }
    for (int i = 0; i < l->n_facts && !real; i++) {
        const struct rg_expr *v = l->facts[i].value;
        const char *given = l->facts[i].given ? l->facts[i].given : v && v->kind == RG_EXPR_NAME ? v->name : NULL;
        real = given && chosen_by_caller(l, l->facts[i].function, given);
    }
    return state && !sized && (!l->n_inits || real) && !l->shape;
}

/* Sizes that the user gives by the names of the set-up function's own parameters. */
static enum rg_status given_number(void *arg, const char *name, const char *value, int column, struct rg_error *err)
{
    struct rg__load *l = arg;
    struct rg__program *g = &l->program;
    const int k = set_up_argument(l, name);
    char *end;
    const long long v = strtoll(value, &end, 10);
    (void)column;
    (void)err;
    if (k >= 0 && !*end && rg__param_named(l->p, name) < 0) {
        g->is_given[k] = true;
        g->given[k] = v;
    }
    return RG_OK;
}

extern char **environ;

/* Our environment, but temporary files go to `dir`. */
static const char **with_tmp(struct rg__load *l, const char *dir)
{
    int n = 0, k = 0;
    while (environ[n]) n++;
    const char **env = rg_arena_alloc(&l->dirs.arena, ((size_t)n + 2) * sizeof *env);
    for (int i = 0; i < n; i++)
        if (strncmp(environ[i], "TMPDIR=", 7) != 0) env[k++] = environ[i];
    env[k++] = rg_arena_printf(&l->dirs.arena, "TMPDIR=%s", dir);
    env[k] = NULL;
    return env;
}

/* watched: an access outside of an object ends it. */
static bool compiled(struct rg__load *l, const char *dir, const char *exe, bool watched)
{
    struct rg_buf text = RG_BUF_INIT, flags = RG_BUF_INIT;
    const char *file = rg_arena_printf(&l->dirs.arena, "%s/program.c", dir);
    bool ok = rg__preprocess(l->o->file, l->p->cflags, NULL, &text, NULL) == RG_OK;
    rg_buf_char(&text, '\n');
    ok = ok && rg__program_text(l, true, &text);
    rg_buf_str(&text, "#undef main\n"
                      "int rg_setrlimit(int, const void *) __asm__(\"setrlimit\");\n"
                      "int main(int rg_n, char **rg_v)\n{\n"
                      "    static const unsigned long rg_no[2] = {0, 0}, rg_cpu[2] = {20, 20};\n"
                      "    (void)rg_n;\n    rg_setrlimit(1, rg_no);\n    rg_setrlimit(0, rg_cpu);\n"
                      "    rg_by = __builtin_strlen(rg_v[1]);\n"
                      "    for (int rg_k = 0; rg_v[2][rg_k]; rg_k++)\n"
                      "        if (rg_v[2][rg_k] == '0') rg_which &= ~(1ull << rg_k);\n"
                      "    rg_times = rg_v[3][0] == 'm';\n    rg_timed = rg_v[3][0] != 's';\n"
                      "    rg_start();\n    return rg_met ? 0 : 3;\n}\n");
    FILE *f = ok ? fopen(file, "w") : NULL;
    ok = f && fwrite(text.data, 1, text.len, f) == text.len;
    if (f) ok = !fclose(f) && ok;
    int n, n_cc, status = 1;
    const char *cc = getenv("CC");
    const char **cc_words = rg__split_words(&l->dirs.arena, cc && *cc ? cc : "cc", &n_cc),
               **words = rg__split_words(&l->dirs.arena, l->p->cflags ? l->p->cflags : "", &n);
    const char **argv = rg_arena_alloc(&l->dirs.arena, (size_t)(n + n_cc + 20) * sizeof *argv);
    int k = 0;
    for (int i = 0; i < n_cc; i++) argv[k++] = cc_words[i];
    for (int i = 0; i < n; i++) argv[k++] = words[i];
    static const char *const own[] = {"-w", "-O1", "-Dmain=rg_users_main", "-x", "c", NULL};
    for (int i = 0; own[i]; i++) argv[k++] = own[i];
    if (watched) argv[k++] = "-fsanitize=address";
    argv[k++] = file;
    argv[k++] = "-o";
    argv[k++] = exe;
    argv[k++] = "-lm";
    argv[k] = NULL;
    bool late = false;
    rg_buf_reset(&flags);
    const struct rg_proc_options cc_run = {.argv = argv, .env = with_tmp(l, dir), .pass_fd = -1};
    ok = ok && rg_proc_run(&cc_run, compile_seconds, NULL, &flags, &status, &late, NULL) == RG_OK;
    ok = ok && !late && WIFEXITED(status) && !WEXITSTATUS(status);
    if (!ok && flags.len)
        rg_log(RG_LOG_DEBUG, "the program up to %s is not compiled: %.300s", l->p->function, flags.data);
    remove(file);
    rg_buf_release(&text);
    rg_buf_release(&flags);
    return ok;
}

/* One run: the sizes that it says. by < 0: its numbers are multiplied by -by. call: how long its call of the function
 * takes in seconds, < 0 where it does not come back; NULL: the run ends in front of it. */
static bool run_once(struct rg__load *l, const char *exe, int by, double seconds, struct rg__program_row *row,
                     double *call)
{
    const struct rg__program *g = &l->program;
    struct rg_buf out = RG_BUF_INIT;
    int status = 1;
    bool late = false;
    char *strokes = rg_xcalloc((size_t)abs(by) + 1, 1); /* the divisor as so many letters: its main reads no numbers */
    char which[RG__PROGRAM_NUMBERS + 1] = "";
    memset(strokes, '1', (size_t)abs(by));
    for (int k = 0; k < g->n_numbers; k++) which[k] = g->which >> k & 1 ? '1' : '0';
    const char *argv[] = {exe, strokes, which, by < 0 ? "m" : call ? "t" : "s", NULL};
    bool ok = rg_proc_run(&(struct rg_proc_options){.argv = argv, .pass_fd = -1}, seconds, &out, NULL, &status, &late,
                          NULL) == RG_OK &&
              !late && WIFEXITED(status) && !WEXITSTATUS(status);
    *row = (struct rg__program_row){by, rg_arena_alloc(&l->dirs.arena, ((size_t)l->p->n_params + 1) * sizeof(int64_t)),
                                    l->p->n_params};
    for (const char *p = ok ? out.data : NULL; p && (p = strstr(p, "\n@regraph ")); p++) {
        int i;
        long long v;
        if (sscanf(p, "\n@regraph %d %lld", &i, &v) == 2 && i >= 0 && i < l->p->n_params) row->values[i] = v;
    }
    const char *back = ok && call ? strstr(out.data, "\n@regraph-call ") : NULL;
    if (call) *call = back ? strtod(back + strlen("\n@regraph-call "), NULL) * 1e-6 : -1;
    free(strokes);
    rg_buf_release(&out);
    return ok;
}

static bool run_by(struct rg__load *l, const char *exe, int by, double seconds, struct rg__program_row *row)
{
    return run_once(l, exe, by, seconds, row, NULL);
}

/* All integers count: which of them lengths depend on may not be known yet. Not one that only stands against data,
 * `if (year[i] > last)`: these would have to change with it. */
static bool same_row(const struct rg__load *l, const struct rg__program_row *a, const struct rg__program_row *b)
{
    for (int i = 0; i < l->p->n_params; i++)
        if (a->values[i] != b->values[i] && (!l->t || rg__program_binds(l, i) || !rg__is_threshold(l->t, i, true)))
            return false;
    return true;
}

static bool add_row(struct rg__load *l, const char *exe, int by, double seconds)
{
    struct rg__program *g = &l->program;
    struct rg__program_row row;
    bool ok = run_by(l, exe, by, seconds, &row);
    for (int r = 0; r < g->n_rows && ok; r++) ok = !same_row(l, &g->rows[r], &row);
    if (ok) g->rows[g->n_rows++] = row;
    return ok;
}

/* Those numbers are divided that a size comes of, or that stand right beside one (n - 1 for n): a distance, a seed or a
 * number of percent is what it is at any size. Each is halved alone for that, as far as time lets. */
static void tell_numbers_apart(struct rg__load *l, const char *exe, double until)
{
    struct rg__program *g = &l->program;
    uint64_t sizes = 0;
    for (int k = 0; k < g->n_numbers; k++) {
        struct rg__program_row row;
        g->which = UINT64_C(1) << k;
        if (rg_now() >= until || (run_by(l, exe, 2, other_seconds, &row) && !same_row(l, &g->rows[0], &row)))
            sizes |= g->which;
    }
    g->which = sizes;
    for (int k = 0; k < g->n_numbers; k++)
        for (int j = 0; j < g->n_numbers; j++)
            if (sizes >> j & 1 && llabs(g->numbers[k] - g->numbers[j]) <= 1) g->which |= UINT64_C(1) << k;
}

/* ---- the folder it is in ---- */

static struct { /* what a signal's handler clears away, of one load at a time */
    atomic_flag taken;
    volatile sig_atomic_t is;
    char dir[4096];
} now = {.taken = ATOMIC_FLAG_INIT};

/* The folder and its files, a compiler's own among them; one that makes others finds no folder soon. Async-signal-safe:
 * no readdir(). */
static void clear(const char *dir)
{
    enum { TRIES = 100, NAME = 19 }; /* struct linux_dirent64's d_reclen, d_name */
    for (int tries = 0; rmdir(dir) < 0 && (errno == ENOTEMPTY || errno == EEXIST) && tries < TRIES; tries++) {
        char entries[4096];
        const int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        long n;
        while (fd >= 0 && (n = syscall(SYS_getdents64, fd, entries, sizeof entries)) > 0) {
            unsigned short length;
            for (long at = 0; at < n; at += length) {
                memcpy(&length, entries + at + NAME - 3, sizeof length);
                unlinkat(fd, entries + at + NAME, 0);
            }
        }
        if (fd >= 0) close(fd);
    }
}

void rg_frontend_abandon(void)
{
    if (now.is) clear(now.dir);
}

/* False: another load has its folder there, or the path is too long. */
static bool begin_dir(const char *dir)
{
    if (strlen(dir) >= sizeof now.dir || atomic_flag_test_and_set(&now.taken)) return false;
    strcpy(now.dir, dir);
    now.is = 1;
    return true;
}

static void end_dir(void)
{
    now.is = 0;
    atomic_flag_clear(&now.taken);
}

/* fn with the compiled program, where there is one. */
static void with_program(struct rg__load *l, void (*fn)(struct rg__load *l, const char *exe), bool plain_too,
                         bool watched)
{
    const char *tmp = getenv("TMPDIR");
    char *dir = rg_xasprintf("%s/regraph-program-XXXXXX", tmp && *tmp ? tmp : "/tmp");
    if (mkdtemp(dir)) {
        char *exe = rg_xasprintf("%s/program", dir);
        const bool cleared = begin_dir(dir);
        bool is = compiled(l, dir, exe, watched);
        if (!is && plain_too) {
            l->program.plain = true;
            is = compiled(l, dir, exe, watched);
        }
        if (is) fn(l, exe);
        clear(dir);
        if (cleared) end_dir();
        free(exe);
    }
    free(dir);
}

/* Sizes above main's own, where nobody states any. */
static bool larger_wanted(const struct rg__load *l)
{
    bool wanted = l->o->main_times != 0 && l->program.n_rows > 1;
    for (int i = 0; i < l->dirs.n; i++) wanted = wanted && l->dirs.items[i].kind != RG__DIR_SIZE;
    return wanted;
}

/* The function's call as main has it; -1: it does not come back soon. */
static void time_call(struct rg__load *l, const char *exe)
{
    struct rg__program_row row;
    if (!run_once(l, exe, 1, other_seconds, &row, &l->program.call_s)) l->program.call_s = -1;
}

static void try_sizes(struct rg__load *l, const char *exe)
{
    static const int divisors[] = {2, 3, 4, 5, 8, 11, 16, 32, RG__PROGRAM_SMALL, 256, 1024};
    struct rg__program *g = &l->program;
    if (!add_row(l, exe, 1, first_seconds)) return;
    tell_numbers_apart(l, exe, rg_now() + other_seconds);
    for (int all = 0; all < 2 && g->n_rows == 1; all++) { /* all of them where those alone make nothing smaller */
        if (all) g->which = UINT64_MAX;
        for (size_t k = 0; k < sizeof divisors / sizeof *divisors; k++) add_row(l, exe, divisors[k], other_seconds);
    }
    if (larger_wanted(l) && l->o->main_times < 0) time_call(l, exe);
}

/* Twice as much each time, until the call takes long enough, or too long, or something is too short for it. */
static void try_larger(struct rg__load *l, const char *exe)
{
    struct rg__program *g = &l->program;
    struct rg__program_row best = {0}, row;
    const bool decides = l->o->main_times < 0;
    const double share = l->o->main_seconds,
                 until = rg_now() + (share > 0 ? fmin(share, larger_seconds) : larger_seconds);
    double call = 0, before = 0;
    for (int m = decides ? 2 : l->o->main_times; m <= RG_MAX_MAIN_TIMES && call < enough && rg_now() < until; m *= 2) {
        const struct rg__program_row *last = best.by ? &best : &g->rows[0];
        before = call;
        const double left = decides ? fmin(other_seconds, until - rg_now()) : other_seconds;
        if (!run_once(l, exe, -m, left, &row, &call) || call < 0 || same_row(l, last, &row)) break;
        if (decides && call > 10 * enough && before > little) break; /* the one in front will do */
        best = row;
        if (!decides) break;
    }
    if (!best.by) return;
    memmove(g->rows + 1, g->rows, (size_t)g->n_rows * sizeof *g->rows);
    g->rows[0] = best;
    g->n_rows++;
}

/* The same values once more, and those of the parameters that came since. */
static void run_same(struct rg__load *l, const char *exe)
{
    struct rg__program *g = &l->program;
    g->same = true;
    for (int r = 0; r < g->n_rows && g->same; r++) {
        struct rg__program_row row;
        g->same = run_by(l, exe, g->rows[r].by, r ? other_seconds : first_seconds, &row);
        for (int i = 0; i < g->rows[r].n && g->same; i++) g->same = row.values[i] == g->rows[r].values[i];
        if (g->same) g->rows[r] = row;
    }
}

static bool again(struct rg__load *l)
{
    struct rg__program *g = &l->program;
    g->same = false;
    if (g->n_rows && rg__program_reads(l)) with_program(l, run_same, false, false);
    return g->same;
}

void rg__program_try(struct rg__load *l)
{
    struct rg__program *g = &l->program;
    if (!wanted(l) || !find_path(l)) return;
    for (int i = 0; i < l->dirs.n && g->set_up >= 0; i++)
        if (l->dirs.items[i].kind == RG__DIR_SIZE)
            rg__assignments(&l->dirs.arena, &l->dirs.items[i], given_number, l, NULL);
    g->rows = rg_arena_alloc(&l->dirs.arena, 16 * sizeof *g->rows); /* divisors, main's own, a larger one */
    g->which = UINT64_MAX;
    g->again = again;
    with_program(l, try_sizes, true, false);
    const bool over_at_once = g->call_s >= 0 && g->call_s < little;
    if (larger_wanted(l) && (l->o->main_times > 0 || over_at_once)) with_program(l, try_larger, false, true);
    if (g->n_rows) rg_log(RG_LOG_DEBUG, "main makes inputs of %d sizes", g->n_rows);
}

static void run_again(struct rg__load *l, const char *exe)
{
    struct rg__program *g = &l->program;
    struct rg__program_row row;
    int n = 0;
    for (int r = 0; r < g->n_rows; r++)
        if (run_by(l, exe, g->rows[r].by, r ? other_seconds : first_seconds, &row))
            g->rows[n++] = row;
        else if (!r)
            break; /* the one as it stands */
    g->n_rows = n;
}

void rg__program_again(struct rg__load *l)
{
    const struct rg__program_row *rows = l->program.rows;
    if (!l->program.n_rows) return;
    const int64_t *first = rows[0].values;
    with_program(l, run_again, false, false);
    if (l->program.n_rows && rows[0].values == first) l->program.n_rows = 0; /* it did not run */
    l->program.more = false;
}
