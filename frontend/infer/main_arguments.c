/* main as an initialisation function: it is run as from a shell without arguments. */
#include "frontend/infer/infer.h"
#include <string.h>

enum { ARGC, ARGV, ENVP, N_ARGS };

struct uses { /* of argc and argv in main's body */
    struct rg__build *b;
    uint32_t key[N_ARGS];
    int counts, words, first; /* of argv altogether, and as argv[0] */
};

static bool is_use(const struct uses *u, CXCursor c, int which)
{
    c = rg__strip_parens(u->b, c);
    return u->b->c->getCursorKind(c) == CXCursor_DeclRefExpr &&
           rg__decl_key(u->b->u, u->b->c->getCursorReferenced(c)) == u->key[which];
}

static void look(void *arg, CXCursor c)
{
    struct uses *u = arg;
    const enum CXCursorKind k = u->b->c->getCursorKind(c);
    int64_t at;
    if (k == CXCursor_DeclRefExpr) {
        u->counts += is_use(u, c, ARGC);
        u->words += is_use(u, c, ARGV);
    }
    if (k != CXCursor_ArraySubscriptExpr) return;
    struct rg__children kids = rg__cursor_children(u->b->u, c, &u->b->p->arena);
    u->first += kids.n == 2 && is_use(u, kids.items[0], ARGV) && rg__eval_int(u->b->u, kids.items[1], &at) && at == 0;
}

bool rg__main_argument(struct rg__load *l, const struct rg__directive *d, int function, int at,
                       struct rg__init_arg *arg, enum rg_status *st)
{
    static const char *const texts[] = {"1", "(void *)(char *[]){(char *)\"main\", 0}", "(void *)(char *[]){0}"};
    struct rg__build *b = &l->b;
    struct uses u = {.b = b};
    CXType types[N_ARGS];
    enum rg_scalar s;
    int n = 0;
    if (strcmp(d->text, "main") != 0 || at >= N_ARGS) return false;
    struct rg__children kids = rg__cursor_children(&l->unit, l->unit.functions[function].cursor, &l->dirs.arena);
    for (int i = 0; i < kids.n && n < N_ARGS; i++) {
        if (b->c->getCursorKind(kids.items[i]) != CXCursor_ParmDecl) continue;
        types[n] = b->c->getCanonicalType(b->c->getCursorType(kids.items[i]));
        u.key[n++] = rg__decl_key(&l->unit, kids.items[i]);
    }
    if (at >= n) return false;
    const bool number = rg__type_scalar(&l->unit, types[at], &s) && rg__scalar_is_int(s),
               words = types[at].kind == CXType_Pointer || types[at].kind == CXType_IncompleteArray;
    if (at == ARGC ? !number : !words) return false;
    arg->text = texts[at];
    if (at != ARGV) return true;
    rg__cursor_walk(&l->unit, l->unit.functions[function].body, look, &u);
    if (u.words > u.first && !u.counts)
        *st = rg__directive_error(l->err, d,
                                  "main reads arguments of the command line without asking how many there are, and is "
                                  "run without any here; name a function that is called with what they say");
    return true;
}
