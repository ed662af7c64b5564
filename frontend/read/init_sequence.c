/* Several functions that set things up, one behind the other: `--init open --init load` is one function behind the
 * file that calls them in that order, and which the rest of the front end reads like any other. It takes what they
 * take: parameters of one name and type are one, unless the file passes other things for them; parameters of other
 * names are one where the file passes the same variable for both. */
#include "frontend/read/init_sequence.h"
#include "frontend/read/read.h"
#include <ctype.h>
#include <rg/similar.h>
#include <stdlib.h>
#include <string.h>

struct param { /* of one of them */
    int part, at;
    CXCursor decl;
    const char *name, *type; /* NULL: it has none */
    const char *passed;      /* the text that the file passes; NULL: it is not known */
    bool variable;           /* which is a variable's name */
    int is;                  /* of the sequence's own parameters */
};

struct joiner {
    struct rg__load *l;
    struct rg_arena *a;
    const struct rg__directive *d;
    int n;
    const char *names[RG__SEQUENCE_PARTS];
    int of[RG__SEQUENCE_PARTS];
    CXCursor call[RG__SEQUENCE_PARTS];
    bool called[RG__SEQUENCE_PARTS];
    int n_params;
    struct param params[RG__SEQUENCE_ARGS];
    int n_own;
    const struct param *own[RG__SEQUENCE_ARGS]; /* the first that each is */
    const char *own_name[RG__SEQUENCE_ARGS];
};

/* ---- names ---- */

static enum rg_status add_name(struct joiner *j, const char *from, size_t len)
{
    while (len && isspace((unsigned char)*from)) from++, len--;
    while (len && isspace((unsigned char)from[len - 1])) len--;
    const char *name = rg_arena_strndup(j->a, from, len);
    if (!len)
        return rg__directive_error(j->l->err, j->d, "a name is missing between the commas of init(%s)", j->d->text);
    for (int i = 0; i < j->n; i++)
        if (!strcmp(j->names[i], name))
            return rg__directive_error(j->l->err, j->d,
                                       "'%s' is named twice: functions that set things up run once each, in the order "
                                       "in which they are named",
                                       name);
    if (j->n == RG__SEQUENCE_PARTS)
        return rg__directive_error(j->l->err, j->d, "more than %d functions that set things up", RG__SEQUENCE_PARTS);
    j->names[j->n++] = name;
    return RG_OK;
}

static enum rg_status names_of(struct joiner *j, const struct rg__directive *d)
{
    j->d = d;
    for (const char *p = d->text;; p++) {
        const size_t n = strcspn(p, ",");
        enum rg_status st = add_name(j, p, n);
        if (st != RG_OK || !p[n]) return st;
        p += n;
    }
}

static enum rg_status check_names(struct joiner *j)
{
    struct rg__load *l = j->l;
    const char **known = rg_arena_alloc(j->a, ((size_t)l->unit.n_functions + 1) * sizeof *known);
    for (int f = 0; f < l->unit.n_functions; f++) known[f] = l->unit.functions[f].name;
    for (int i = 0; i < j->n; i++) {
        char near[160];
        j->of[i] = rg__unit_function_named(&l->unit, j->names[i]);
        if (!strcmp(j->names[i], "none") && j->of[i] < 0)
            return rg__directive_error(l->err, j->d, "init: 'none' runs no function, and %s is named beside it",
                                       j->names[!i]);
        if (!strcmp(j->names[i], "main"))
            return rg__directive_error(l->err, j->d,
                                       "init: main makes all that the function needs itself, and %s is named beside it",
                                       j->names[!i]);
        if (j->of[i] == l->function)
            return rg__directive_error(l->err, j->d, "init: %s is the function itself", j->names[i]);
        if (j->of[i] >= 0) continue;
        rg_did_you_mean(j->names[i], known, l->unit.n_functions, near);
        return rg__directive_error(l->err, j->d,
                                   "no function '%s' in the file: init names functions that fill parameters%s",
                                   j->names[i], near);
    }
    return RG_OK;
}

/* ---- calls ---- */

struct finder {
    struct joiner *j;
    bool seen[RG__SEQUENCE_PARTS];
    CXCursor call[RG__SEQUENCE_PARTS];
};

static void find_call(void *arg, CXCursor x)
{
    struct finder *f = arg;
    const struct rg__unit *u = &f->j->l->unit;
    if (u->c->getCursorKind(x) != CXCursor_CallExpr) return;
    CXCursor callee = u->c->getCursorReferenced(x);
    const int of = u->c->Cursor_isNull(callee) ? -1 : rg__unit_function(u, callee);
    for (int i = 0; i < f->j->n && of >= 0; i++)
        if (f->j->of[i] == of && !f->seen[i]) f->seen[i] = true, f->call[i] = x;
}

/* One function of the file that calls them all says what they are called with. */
static void find_calls(struct joiner *j)
{
    const struct rg__unit *u = &j->l->unit;
    for (int g = 0; g < u->n_functions; g++) {
        struct finder f = {.j = j};
        bool all = true;
        rg__cursor_walk(u, u->functions[g].body, find_call, &f);
        for (int i = 0; i < j->n; i++) all = all && f.seen[i];
        for (int i = 0; i < j->n && all; i++) j->called[i] = true, j->call[i] = f.call[i];
        if (all) return;
    }
}

/* ---- parameters ---- */

static const char *text_of(struct joiner *j, CXCursor x)
{
    const struct rg__unit *u = &j->l->unit;
    struct rg_buf b = RG_BUF_INIT;
    rg__source_slice(&u->src, rg__cursor_at(u, x), rg__cursor_end(u, x), &b);
    const char *text = rg_arena_strdup(j->a, b.data ? b.data : "");
    rg_buf_release(&b);
    return text;
}

static bool is_variable(const struct rg__unit *u, CXCursor x)
{
    const int tok = rg__tok_from(&u->src, rg__cursor_at(u, x));
    return tok < u->src.n_toks && u->src.toks[tok].kind == RG__TOK_IDENT &&
           u->src.toks[tok].at + u->src.toks[tok].len == rg__cursor_end(u, x);
}

static bool params_of(struct joiner *j, int part)
{
    const struct rg__unit *u = &j->l->unit;
    struct rg__children kids = rg__cursor_children(u, u->functions[j->of[part]].cursor, j->a),
                        args = j->called[part] ? rg__cursor_children(u, j->call[part], j->a) : (struct rg__children){0};
    for (int i = 0, k = 0; i < kids.n; i++) {
        if (u->c->getCursorKind(kids.items[i]) != CXCursor_ParmDecl) continue;
        if (j->n_params == RG__SEQUENCE_ARGS) return false;
        struct param *p = &j->params[j->n_params++];
        *p = (struct param){.part = part, .at = k++, .decl = kids.items[i]};
        p->name = rg__cursor_name(u, p->decl, j->a);
        p->type = rg__type_name(u, u->c->getCanonicalType(u->c->getCursorType(p->decl)), j->a);
        if (!*p->name) p->name = NULL;
        if (k >= args.n) continue;
        p->passed = text_of(j, args.items[k]);
        p->variable = is_variable(u, args.items[k]);
    }
    return true;
}

static bool taken(const struct joiner *j, const char *name)
{
    for (int i = 0; i < j->n_own; i++)
        if (!strcmp(j->own_name[i], name)) return true;
    return rg__unit_has_variable(&j->l->unit, name) || rg__unit_function_named(&j->l->unit, name) >= 0;
}

/* Which of the sequence's parameters each is. */
static void share(struct joiner *j)
{
    for (int i = 0; i < j->n_params; i++) {
        struct param *p = &j->params[i];
        p->is = -1;
        for (int k = 0; k < j->n_own && p->is < 0; k++) {
            const struct param *q = j->own[k];
            const bool known = p->passed && q->passed, same = known && !strcmp(p->passed, q->passed);
            const bool named = p->name && q->name && !strcmp(p->name, q->name);
            if (q->part != p->part && !strcmp(p->type, q->type) &&
                ((named && (same || !known)) || (same && p->variable)))
                p->is = k;
        }
        if (p->is >= 0) continue;
        const char *name = p->name ? p->name : rg_arena_printf(j->a, "arg_%d", p->at + 1);
        bool again = false;
        for (int k = 0; k < j->n_own; k++) again |= !strcmp(j->own_name[k], name);
        if (again) name = rg_arena_printf(j->a, "%s_%s", j->names[p->part], name);
        while (again && taken(j, name)) name = rg_arena_printf(j->a, "%s_", name);
        j->own[j->n_own] = p;
        j->own_name[j->n_own] = name;
        p->is = j->n_own++;
    }
}

/* ---- the function ---- */

/* A declaration as it is written, by the names that its parameters have here. */
static void declare(struct joiner *j, const struct param *p, struct rg_buf *out)
{
    const struct rg__unit *u = &j->l->unit;
    const struct rg__source *s = &u->src;
    const uint32_t from = rg__cursor_at(u, p->decl), to = rg__cursor_end(u, p->decl);
    const uint32_t own = rg__decl_key(u, p->decl);
    struct rg_buf b = RG_BUF_INIT;
    int depth = 0;
    bool list = !p->name; /* `int a, b;` of a definition in the old style */
    for (int k = rg__tok_from(s, from); k < s->n_toks && s->toks[k].at < to; k++) {
        const char *text = rg__tok_text(s, k, j->a);
        depth += (*text == '(' || *text == '[') - (*text == ')' || *text == ']');
        list |= *text == ',' && !depth;
        for (int i = 0; i < j->n_params && s->toks[k].kind == RG__TOK_IDENT; i++)
            if (j->params[i].part == p->part && j->params[i].name && !strcmp(j->params[i].name, text) &&
                (depth || s->toks[k].at == own)) {
                text = j->own_name[j->params[i].is];
                break;
            }
        rg_buf_printf(&b, "%s%s", b.len ? " " : "", text);
    }
    if (list)
        rg_buf_printf(out, "%s %s", rg__type_name(u, u->c->getCursorType(p->decl), j->a), j->own_name[p->is]);
    else
        rg_buf_str(out, b.data);
    rg_buf_release(&b);
}

static const char *whole(struct joiner *j, const char *name)
{
    struct rg_buf b = RG_BUF_INIT;
    rg_buf_printf(&b, "static void %s(", name);
    for (int k = 0; k < j->n_own; k++) {
        if (k) rg_buf_str(&b, ", ");
        declare(j, j->own[k], &b);
    }
    rg_buf_str(&b, j->n_own ? ")\n{\n" : "void)\n{\n");
    for (int i = 0; i < j->n; i++) {
        rg_buf_printf(&b, "    %s(", j->names[i]);
        for (int k = 0; k < j->n_params; k++)
            if (j->params[k].part == i)
                rg_buf_printf(&b, "%s%s", j->params[k].at ? ", " : "", j->own_name[j->params[k].is]);
        rg_buf_str(&b, ");\n");
    }
    rg_buf_str(&b, "}\n");
    const char *text = rg_arena_strdup(j->a, b.data);
    rg_buf_release(&b);
    return text;
}

/* The same unit with it behind all else. Functions and places keep their numbers. */
static bool append(struct joiner *j, const char *text)
{
    struct rg__unit *u = &j->l->unit, more;
    struct rg_buf b = RG_BUF_INIT;
    struct rg_error ignored = RG_ERROR_INIT;
    const struct rg__function *first = &u->functions[j->of[0]];
    rg_buf_add(&b, u->src.text, u->src.len);
    rg_buf_printf(&b, "\n# %d \"%s\"\n%s", first->line, first->file, text);
    const size_t len = b.len;
    if (rg__unit_parse(&more, rg_buf_steal(&b), len, j->l->o->cflags, &ignored) != RG_OK) return false;
    if (more.n_problems > u->n_problems || more.n_functions != u->n_functions + 1) {
        rg__unit_close(&more);
        return false;
    }
    for (int f = 0; f < u->n_functions; f++) more.functions[f].called = u->functions[f].called;
    more.linked_at = u->linked_at;
    rg__unit_close(u);
    *u = more;
    return true;
}

/* What it is called in the text; people read its parts' names. */
static const char *own_name(struct joiner *j)
{
    const char *name = j->names[0];
    for (int i = 1; i < j->n; i++) name = rg_arena_printf(j->a, "%s_%s", name, j->names[i]);
    while (strstr(j->l->unit.src.text, name)) name = rg_arena_printf(j->a, "%s_", name);
    return name;
}

static void one_directive(struct joiner *j, bool option, const char *name)
{
    struct rg__directives *dirs = &j->l->dirs;
    struct rg__directive d = *j->d;
    const char *written = j->names[0];
    int kept = 0;
    for (int i = 1; i < j->n; i++) written = rg_arena_printf(j->a, "%s, %s", written, j->names[i]);
    d.text = name;
    d.written = written;
    d.option = option;
    for (int i = 0; i < dirs->n; i++)
        if (dirs->items[i].kind != RG__DIR_INIT) dirs->items[kept++] = dirs->items[i];
    dirs->items[kept++] = d;
    dirs->n = kept;
}

enum rg_status rg__init_sequence(struct rg__load *l)
{
    struct rg__sequence *s = &l->sequence;
    struct joiner *j = rg_arena_alloc(&l->dirs.arena, sizeof *j);
    *j = (struct joiner){.l = l, .a = &l->dirs.arena};
    enum rg_status st = RG_OK;
    bool option = false;
    *s = (struct rg__sequence){.function = -1};
    for (int i = 0; i < l->dirs.n; i++) option |= l->dirs.items[i].kind == RG__DIR_INIT && l->dirs.items[i].option;
    for (int i = 0; i < l->dirs.n && st == RG_OK; i++)
        if (l->dirs.items[i].kind == RG__DIR_INIT && l->dirs.items[i].option == option) {
            struct rg__directive *d = rg_arena_alloc(&l->dirs.arena, sizeof *d);
            *d = l->dirs.items[i];
            st = names_of(j, d);
        }
    if (st != RG_OK || j->n < 2) return st;
    st = check_names(j);
    if (st != RG_OK) return st;
    find_calls(j);
    bool fits = true;
    for (int i = 0; i < j->n; i++) fits = fits && params_of(j, i);
    if (!fits)
        return rg__directive_error(l->err, j->d, "init: they take more than %d parameters together", RG__SEQUENCE_ARGS);
    share(j);
    const char *name = own_name(j);
    s->text = whole(j, name);
    if (!append(j, s->text))
        return rg__directive_error(l->err, j->d, "init: they cannot be called one behind the other: %s", s->text);
    one_directive(j, option, name);
    s->function = rg__unit_function_named(&l->unit, name);
    s->n = j->n;
    s->n_params = j->n_params;
    s->n_own = j->n_own;
    memcpy(s->of, j->of, sizeof s->of);
    for (int i = 0; i < j->n_params; i++) {
        const struct param *p = &j->params[i];
        s->params[i] = (struct rg__sequence_param){j->of[p->part], p->at, p->is, p->name};
    }
    memcpy(s->own_name, j->own_name, sizeof s->own_name);
    return RG_OK;
}

bool rg__in_sequence(const struct rg__load *l, int function)
{
    for (int i = 0; i < l->sequence.n; i++)
        if (l->sequence.of[i] == function) return true;
    return false;
}

int rg__sequence_at(const struct rg__load *l, int function, int at)
{
    const struct rg__sequence *s = &l->sequence;
    for (int i = 0; i < s->n_params; i++)
        if (s->params[i].function == function && s->params[i].at == at) return s->params[i].is;
    return -1;
}

const char *rg__sequence_name(const struct rg__load *l, int function, const char *name)
{
    const struct rg__sequence *s = &l->sequence;
    for (int i = 0; i < s->n_params; i++)
        if (s->params[i].function == function && s->params[i].name && !strcmp(s->params[i].name, name))
            return s->own_name[s->params[i].is];
    return name;
}
