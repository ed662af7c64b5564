/* The golden list: what the built-in coder says and prints for the corpus, by hash, so that a change of the coder's
 * form shows that it changes nothing else. A line of golden.txt is a state (a function after a chain of steps): a hash
 * of everything there, then four hex digits for each piece of it, in order: the sites that it lists with their reasons,
 * then each action's template at several vectors.
 *     test_golden                      some of the functions, compared
 *     test_golden --all                all of them; further words: those with one of the words in their name
 *     test_golden --write              golden.txt anew (`make golden`)
 *     test_golden --texts DIR [WORD..] each piece's text in a file of DIR, as golden-diff.sh compares trees
 * Functions in C are skipped where libclang is missing. test-deadline: 900 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "tests/poly/chain.h"
#include "tests/poly/chains.h"
#include "tests/poly/corpus.h"
#include <rg/hash.h>
#include <rg/rng.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define LIST "tests/poly/golden.txt"
enum { WALKS = 6, WALK_STEPS = 6, TRIES = 40, FEW = 5 /* every so many of the files, without --all */, LOCATE = 4 };

static bool all, writing;
static const char *texts; /* directory; NULL none */
static char **only;       /* words; NULL: no choice */
static int n_only;

/* Values and constraints that a regraph's step may propose, some of them out of what kernels allow. */
static const struct {
    const char *step, *name;
    int64_t values[6]; /* ends with 0 */
    int64_t start;
    const char *constraint;
} proposals[] = {
    {"parallelize", "BX", {3, 64, 96, 128, 4096}, 96, "BX*BY <= 512"},
    {"block.shape", "BX", {16, 48, 256}, 48, NULL},
    {"block.shape", "BY", {1, 3, 6}, 3, "BY <= BX"},
    {"coarsen.register", "RX", {2, 3, 6}, 3, "RX*RY <= 9"},
    {"tile.shared", "TILE", {12, 24, 48}, 24, "TILE >= BY"},
    {"tile.two.level", "TILE", {4, 16, 32}, 32, NULL},
    {"reduce.block", "BLOCK", {96, 128, 512}, 128, NULL},
    {"row.warp", "LANES", {3, 4, 16}, 4, NULL},
    {"row.registers", "ROW", {48, 128, 256}, 128, NULL},
    {"scan.block", "ITEMS", {3, 5}, 3, NULL},
    {"unroll", "U", {3, 6, 12}, 6, "U <= 6"},
    {"vectorize", "W", {2, 8}, 2, NULL},
};
enum { N_PROPOSALS = sizeof proposals / sizeof *proposals };
static struct rg_step proposing[N_CHAIN_STEPS]; /* chain_steps with them */
static struct rg_arena proposed;

static void propose(void)
{
    memcpy(proposing, chain_steps, sizeof proposing);
    for (int i = 0; i < N_PROPOSALS; i++)
        for (int s = 0; s < N_CHAIN_STEPS; s++) {
            struct rg_tunables *t = &proposing[s].tunables;
            if (strcmp(proposing[s].id, proposals[i].step) != 0) continue;
            if (!t->items) {
                t->items = rg_arena_alloc(&proposed, sizeof *t->items * N_PROPOSALS);
                t->constraints = rg_arena_alloc(&proposed, sizeof *t->constraints * N_PROPOSALS);
            }
            struct rg_tunable *x = &t->items[t->n++];
            *x = (struct rg_tunable){.name = proposals[i].name, .start = proposals[i].start, .link = -1};
            x->values = rg_arena_alloc(&proposed, sizeof proposals[i].values);
            while (proposals[i].values[x->n_values]) x->n_values++;
            memcpy(x->values, proposals[i].values, sizeof *x->values * (size_t)x->n_values);
            const char *text = proposals[i].constraint;
            if (text && rg_expr_parse_all(&proposed, text, &t->constraints[t->n_constraints++], NULL) != RG_OK)
                fail_msg("%s", text);
        }
}

/* ---- a state: its pieces, and the line that they make ---- */

struct state {
    const char *unit;
    char *name;
    int n_pieces, cap;
    char **labels;
    struct rg_buf digits, text; /* text: all hashes, in full */
};

static void state_open(struct state *s, const char *unit, const char *name)
{
    *s = (struct state){.unit = unit, .name = rg_xstrdup(name), .digits = RG_BUF_INIT, .text = RG_BUF_INIT};
}

static void write_text(const struct state *s, const char *label, const char *text)
{
    struct rg_error err = RG_ERROR_INIT;
    char *dir = rg_xasprintf("%s/%s", texts, s->unit), *file;
    char name[200];
    snprintf(name, sizeof name, "%s %03d %s", s->name, s->n_pieces, label);
    for (char *c = name; *c; c++)
        if (*c == '/') *c = '_';
    file = rg_xasprintf("%s/%s", dir, name);
    if (rg_file_mkdirs(dir, &err) != RG_OK) fail_msg("%s", err.text);
    FILE *f = fopen(file, "w"); /* thousands of files: not worth rg_file_write's fsync */
    if (!f || fputs(text, f) < 0 || fclose(f)) fail_msg("cannot write %s", file);
    free(dir);
    free(file);
}

static void piece(struct state *s, const char *label, const struct rg_buf *text)
{
    char hex[65];
    rg_sha256_hex(text->data, text->len, hex);
    rg_buf_printf(&s->text, "%s %s\n", label, hex);
    rg_buf_printf(&s->digits, "%.*s", LOCATE, hex);
    if (texts) write_text(s, label, text->data);
    RG_GROW(s->labels, s->n_pieces, s->cap);
    s->labels[s->n_pieces++] = rg_xstrdup(label);
}

static char *line_of(const struct state *s)
{
    char hex[65];
    rg_sha256_hex(s->text.data, s->text.len, hex);
    return rg_xasprintf("%s %s %.16s %s", s->unit, s->name, hex, s->digits.data);
}

static void state_close(struct state *s)
{
    for (int i = 0; i < s->n_pieces; i++) free(s->labels[i]);
    free(s->labels);
    free(s->name);
    rg_buf_release(&s->digits);
    rg_buf_release(&s->text);
}

/* ---- the list ---- */

struct list {
    char *text; /* cut into lines */
    int n, cap, n_wrong, n_seen;
    char **lines;
    struct rg_buf out; /* --write */
};

static void list_open(struct list *l)
{
    struct rg_error err = RG_ERROR_INIT;
    char *save = NULL;
    size_t len;
    memset(l, 0, sizeof *l);
    rg_buf_init(&l->out);
    if (writing || texts) return;
    if (rg_file_read(LIST, 0, &l->text, &len, &err) != RG_OK) fail_msg("%s", err.text);
    for (char *x = strtok_r(l->text, "\n", &save); x; x = strtok_r(NULL, "\n", &save)) {
        RG_GROW(l->lines, l->n, l->cap);
        l->lines[l->n++] = x;
    }
}

static void differs(struct list *l, const struct state *s, const char *was, const char *is)
{
    l->n_wrong++;
    if (!was) {
        print_error("%s after %s: not in the list\n", s->unit, s->name);
        return;
    }
    const char *a = strrchr(was, ' ') + 1, *b = strrchr(is, ' ') + 1;
    int shown = 0;
    if (strlen(a) != strlen(b))
        print_error("%s after %s: %d pieces instead of %d\n", s->unit, s->name, s->n_pieces, (int)strlen(a) / LOCATE);
    for (int i = 0; i < s->n_pieces && (size_t)(i + 1) * LOCATE <= strlen(a) && shown < 4; i++)
        if (strncmp(a + (size_t)i * LOCATE, b + (size_t)i * LOCATE, LOCATE) != 0 && ++shown)
            print_error("%s after %s: %s is another\n", s->unit, s->name, s->labels[i]);
    if (!shown) print_error("%s after %s: differs in what four digits don't tell\n", s->unit, s->name);
}

static void finish(struct list *l, struct state *s)
{
    char *line = line_of(s);
    l->n_seen++;
    if (writing) rg_buf_printf(&l->out, "%s\n", line);
    size_t key = strlen(s->unit) + 1 + strlen(s->name) + 1;
    const char *was = NULL;
    for (int i = 0; i < l->n && !was; i++)
        if (!strncmp(l->lines[i], line, key)) was = l->lines[i];
    if (!writing && !texts && (!was || strcmp(was, line) != 0)) differs(l, s, was, line);
    free(line);
    state_close(s);
}

/* ---- what the coder says ---- */

/* The smallest, or the largest, value of each tunable that goes with those of the others. */
static void push(const struct rg_tunables *t, bool up, struct rg_vector *v)
{
    rg_tunables_default(t, v);
    for (int i = 0; i < t->n; i++)
        for (int k = 0; k < t->items[i].n_values; k++) {
            struct rg_vector w = *v;
            w.values[i] = t->items[i].values[k];
            if ((up ? w.values[i] > v->values[i] : w.values[i] < v->values[i]) && rg_tunables_allow(t, &w)) *v = w;
        }
}

static void add_vector(struct rg_buf *out, const struct rg_template *t, const struct rg_vector *v)
{
    struct rg_error err = RG_ERROR_INIT;
    struct rg_source s = {0};
    rg_buf_str(out, "\n==== ");
    rg_vector_print(out, &t->tunables, v);
    if (rg_template_instantiate(t, v, &s, &err) == RG_OK)
        rg_buf_printf(out, "\n%s\n---- plan\n%s\n", s.cuda, s.plan);
    else
        rg_buf_printf(out, "\nrefused: %s\n", err.text);
    rg_source_release(&s);
}

static void add_template(struct rg_buf *out, const struct rg_template *t)
{
    struct rg_vector v[3];
    rg_buf_printf(out, "key %s\ntraits %x\n", t->key, t->traits);
    for (int i = 0; i < t->tunables.n; i++) {
        const struct rg_tunable *x = &t->tunables.items[i];
        rg_buf_printf(out, "%s (action %d), from %lld:", x->name, x->link, (long long)x->start);
        for (int k = 0; k < x->n_values; k++) rg_buf_printf(out, " %lld", (long long)x->values[k]);
        rg_buf_char(out, '\n');
    }
    for (int i = 0; i < t->tunables.n_constraints; i++) {
        rg_expr_print(out, t->tunables.constraints[i], NULL, NULL);
        rg_buf_char(out, '\n');
    }
    rg_tunables_default(&t->tunables, &v[0]);
    push(&t->tunables, false, &v[1]);
    push(&t->tunables, true, &v[2]);
    add_vector(out, t, &v[0]);
    if (!rg_vector_equal(&v[1], &v[0])) add_vector(out, t, &v[1]);
    if (!rg_vector_equal(&v[2], &v[0]) && !rg_vector_equal(&v[2], &v[1])) add_vector(out, t, &v[2]);
}

static void add_sites(struct rg_buf *out, const struct rg_step *step, const struct rg_site_list *l)
{
    for (int i = 0; i < l->n; i++)
        rg_buf_printf(out, "%s@%s %x%s\n", step->id, l->items[i].name, l->items[i].traits,
                      l->items[i].exact ? " exact" : "");
    for (int i = 0; i < l->n_refused; i++) {
        const struct rg_refusal *r = &l->refused[i];
        rg_buf_printf(out, "%s@%s %s: %s\n", step->id, r->site, r->legal ? "not offered" : "refused", r->reason);
        if (r->beside) rg_buf_printf(out, "    beside %s: %s %x\n", r->beside, r->offer.name, r->offer.traits);
    }
}

static struct rg_template *apply(const struct rg_coder *c, struct rg_template *parent, const struct rg_step *step,
                                 const char *site, char *why, size_t size)
{
    struct rg_answer a;
    bool got = false;
    c->submit(c->self, 1, parent, step, site, NULL, NULL);
    c->poll(c->self, 0, &a, &got, NULL);
    if (got && a.kind == RG_ANSWER_TEMPLATE) return a.tmpl;
    snprintf(why, size, "%s", got ? a.message : "no answer");
    return NULL;
}

/* A piece for the action; the template, or NULL. */
static struct rg_template *act(struct state *s, const struct rg_coder *c, struct rg_template *parent,
                               const struct rg_step *step, const char *site)
{
    struct rg_buf b = RG_BUF_INIT;
    char why[512] = "", label[200];
    struct rg_template *t = apply(c, parent, step, site, why, sizeof why);
    if (t)
        add_template(&b, t);
    else
        rg_buf_printf(&b, "refused: %s\n", why);
    snprintf(label, sizeof label, "%s@%s", step->id, site);
    piece(s, label, &b);
    rg_buf_release(&b);
    return t;
}

static void list_sites(const struct rg_coder *c, const struct rg_template *parent, const struct rg_step *step,
                       struct rg_site_list *l)
{
    struct rg_error err = RG_ERROR_INIT;
    memset(l, 0, sizeof *l);
    if (c->sites(c->self, parent, step, l, &err) != RG_OK) fail_msg("%s", err.text);
    int kept = 0; /* what a program is without a first step is test_first_steps.c's */
    for (int i = 0; i < l->n_refused; i++)
        if (strcmp(l->refused[i].site, RG_SITE_NONE)) l->refused[kept++] = l->refused[i];
    l->n_refused = kept;
}

/* Everything that can be done at a state: the sites of every step, then each action that is legal, then so many levels
 * of what those make. name: the chain. */
static void visit(struct list *l, const char *unit, const struct rg_coder *c, struct rg_template *parent,
                  const char *name, int deeper)
{
    struct state s;
    state_open(&s, unit, *name ? name : "nothing");
    struct rg_site_list sites[N_CHAIN_STEPS];
    struct rg_buf b = RG_BUF_INIT;
    for (int i = 0; i < N_CHAIN_STEPS; i++) {
        list_sites(c, parent, &chain_steps[i], &sites[i]);
        add_sites(&b, &chain_steps[i], &sites[i]);
    }
    piece(&s, "the sites", &b);
    rg_buf_release(&b);
    struct {
        struct rg_template *t;
        char name[200];
    } next[64];
    int n_next = 0;
    for (int i = 0; i < N_CHAIN_STEPS; i++)
        for (int k = 0; k < sites[i].n + sites[i].n_refused; k++) {
            bool offered = k < sites[i].n;
            if (!offered && !sites[i].refused[k - sites[i].n].legal) continue;
            const char *site = offered ? sites[i].items[k].name : sites[i].refused[k - sites[i].n].site;
            struct rg_template *t = act(&s, c, parent, &chain_steps[i], site);
            if (t && deeper && offered && n_next < 64) {
                next[n_next].t = rg_template_ref(t);
                snprintf(next[n_next++].name, sizeof next->name, "%s%s%s@%s", name, *name ? "," : "", chain_steps[i].id,
                         site);
            }
            rg_template_unref(t);
        }
    finish(l, &s);
    for (int i = 0; i < N_CHAIN_STEPS; i++) rg_site_list_release(&sites[i]);
    for (int i = 0; i < n_next; i++) {
        visit(l, unit, c, next[i].t, next[i].name, deeper - 1);
        rg_template_unref(next[i].t);
    }
}

/* Chains of several steps, chosen by the function's name alone; every other one by steps that propose values. */
static void walk(struct list *l, const char *unit, const struct rg_coder *c)
{
    struct state s;
    state_open(&s, unit, "walks");
    struct rg_rng r;
    rg_rng_seed(&r, rg_hash64(unit, strlen(unit), 1));
    for (int w = 0; w < WALKS; w++) {
        struct rg_template *at = NULL;
        for (int depth = 0, tries = 0; depth < WALK_STEPS && tries < TRIES; tries++) {
            const struct rg_step *step = &(w % 2 ? proposing : chain_steps)[rg_rng_below(&r, N_CHAIN_STEPS)];
            struct rg_site_list sites;
            list_sites(c, at, step, &sites);
            struct rg_template *t = NULL;
            if (sites.n) t = act(&s, c, at, step, sites.items[rg_rng_below(&r, (uint64_t)sites.n)].name);
            rg_site_list_release(&sites);
            if (!t) continue;
            rg_template_unref(at);
            at = t;
            depth++;
        }
        rg_template_unref(at);
    }
    finish(l, &s);
}

static void given(struct state *s, const struct rg_coder *c, const char *chain)
{
    struct rg_buf b = RG_BUF_INIT;
    char why[512] = "";
    struct rg_template *t = chain_make(c, chain, why, sizeof why);
    if (t)
        add_template(&b, t);
    else
        rg_buf_printf(&b, "refused: %s\n", why);
    piece(s, chain, &b);
    rg_buf_release(&b);
    rg_template_unref(t);
}

static bool names(const char *unit, const char *folder, const char *file)
{
    size_t n = strlen(folder), m = strlen(file);
    return !strncmp(unit, folder, n) && !strncmp(unit + n, file, m) && !strcmp(unit + n + m, ".c");
}

/* The chains that other tests take. */
static void chains(struct list *l, const struct corpus_unit *u, const struct rg_coder *c)
{
    struct state s;
    state_open(&s, u->name, "chains");
#define EACH(table, is, chain)                                                                                         \
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)                                                          \
        if (is) given(&s, c, table[i].chain)
    EACH(step_cases, u->nest && !strcmp(step_cases[i].nest, u->nest), chain);
    EACH(step_cases, u->nest && !strcmp(step_cases[i].not_on, u->nest), refused);
    EACH(nest_chains, u->nest && !strcmp(nest_chains[i].nest, u->nest), chain);
    EACH(example_chains, names(u->name, "examples/", example_chains[i].file), chain);
    EACH(program_chains, names(u->name, "tests/poly/programs/", program_chains[i].file), chain);
#undef EACH
    if (s.n_pieces)
        finish(l, &s);
    else
        state_close(&s);
}

static bool chosen(const struct corpus_unit *u, int number)
{
    bool any = !n_only;
    for (int i = 0; i < n_only; i++) any = any || strstr(u->name, only[i]);
    return any && (all || u->nest || number % FEW == 0);
}

static void unit(struct list *l, const struct corpus_unit *u, bool *parser)
{
    struct rg_problem *p;
    struct rg_ctree *t;
    struct rg_coder coder;
    struct rg_error err = RG_ERROR_INIT;
    if (!u->nest && !*parser) return;
    double began = rg_now();
    enum rg_status st = corpus_load(u, &p, &t, &err);
    if (st == RG_UNAVAILABLE)
        *parser = false;
    else if (st != RG_OK)
        fail_msg("%s: %s", u->name, err.text);
    if (st == RG_OK && rg_poly_new(p, t, &coder, &err) == RG_OK) {
        visit(l, u->name, &coder, NULL, "", u->nest ? 2 : 1);
        chains(l, u, &coder);
        walk(l, u->name, &coder);
        coder.free(coder.self);
    }
    if (getenv("RG_GOLDEN_TIMES")) print_message("%6.2f s %s\n", rg_now() - began, u->name);
    rg_problem_free(p);
    rg_ctree_free(t);
}

/* One process of those that write the list: every so many of the units, each into a file of its own; does not return.
 */
static void write_part(struct list *l, const struct corpus *c, const char *dir, int part, int parts)
{
    bool parser = true;
    for (int i = part; i < c->n && parser; i += parts) {
        char *path = rg_xasprintf("%s/%d", dir, i);
        unit(l, &c->items[i], &parser);
        if (parser && rg_file_write(path, l->out.data, l->out.len, NULL) != RG_OK) _exit(1);
        rg_buf_reset(&l->out);
        free(path);
    }
    _exit(parser ? 0 : 1);
}

/* The whole list, by as many processes as there are processors. */
static void write_list(struct list *l, const struct corpus *c)
{
    struct rg_error err = RG_ERROR_INIT;
    char dir[] = "/tmp/rg-golden-XXXXXX";
    int parts = (int)sysconf(_SC_NPROCESSORS_ONLN), failed = 0;
    assert_non_null(mkdtemp(dir));
    for (int k = 0; k < parts; k++) {
        pid_t child = fork();
        assert_true(child >= 0);
        if (!child) write_part(l, c, dir, k, parts);
    }
    for (int k = 0, code; k < parts; k++) {
        assert_true(wait(&code) > 0);
        failed += code != 0;
    }
    for (int i = 0; i < c->n && !failed; i++) {
        size_t len;
        char *path = rg_xasprintf("%s/%d", dir, i), *text;
        if (rg_file_read(path, 0, &text, &len, &err) != RG_OK) fail_msg("%s", err.text);
        rg_buf_str(&l->out, text);
        free(text);
        unlink(path);
        free(path);
    }
    rmdir(dir);
    if (failed)
        fail_msg("the list can't be written: %d of %d processes ended early (without libclang?)", failed, parts);
    if (rg_file_write(LIST, l->out.data, l->out.len, &err) != RG_OK) fail_msg("%s", err.text);
}

static void corpus(void **state)
{
    struct corpus c;
    struct list l;
    bool parser = true;
    corpus_open(&c);
    list_open(&l);
    propose();
    if (writing) write_list(&l, &c);
    for (int i = 0; i < c.n && !writing; i++)
        if (chosen(&c.items[i], i)) unit(&l, &c.items[i], &parser);
    rg_buf_release(&l.out);
    free(l.lines);
    free(l.text);
    corpus_close(&c);
    rg_arena_release(&proposed);
    if (l.n_wrong) fail_msg("%d states differ from " LIST "; tests/poly/golden-diff.sh shows both texts", l.n_wrong);
    if (!parser) skip();
    if (all && !n_only && !writing && !texts && l.n_seen != l.n)
        fail_msg("%s has %d states, the corpus %d: `make golden` writes it anew", LIST, l.n, l.n_seen);
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (!strcmp(argv[i], "--all"))
            all = true;
        else if (!strcmp(argv[i], "--write"))
            all = writing = true;
        else if (!strcmp(argv[i], "--texts") && i + 1 < argc) {
            all = true;
            texts = argv[++i];
        } else {
            only = argv + i;
            n_only = writing ? 0 : argc - i; /* the list is of everything */
            break;
        }
    const struct CMUnitTest tests[] = {cmocka_unit_test(corpus)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
