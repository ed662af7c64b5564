/* What a function calls or reads from the other C files (--with), joined to its own file as the linker would: the
 * declarations needed, and no more, are appended to the text that libclang reads. Names that mean something else in the
 * function's own file (static helpers, types) get another there. The reference still compiles every file as it is. */
#include "frontend/read/unit.h"
#include <stdlib.h>
#include <string.h>

struct name {
    const char *text;
    uint32_t key;
    bool tag;      /* of struct, union, enum */
    bool external; /* a function or variable that other files see */
    bool defines;  /* is no mere declaration of a function or variable */
};

struct piece { /* one external declaration, with all that it declares */
    uint32_t at, end;
    bool system, wanted;
    int first_name, n_names;
    int first_cursor, n_cursors;
};

struct file {
    struct rg__unit u;
    int n_pieces, cap_pieces, n_names, cap_names, n_cursors, cap_cursors, n_renamed, cap_renamed;
    struct piece *pieces;
    struct name *names;
    CXCursor *cursors;
    struct renamed {
        const char *from, *to;
        bool tag;
    } * renamed;
};

struct link {
    int n; /* files[0]: the function's own */
    struct file *files;
};

static void add_name(struct file *f, CXCursor c)
{
    const struct rg__clang *k = f->u.c;
    enum CXCursorKind kind = k->getCursorKind(c);
    const char *text = rg__cursor_name(&f->u, c, &f->u.src.arena);
    int tok = rg__tok_from(&f->u.src, rg__decl_key(&f->u, c));
    if (!*text || !rg__tok_is(&f->u.src, tok, text)) return; /* without a name: it is called by its place */
    struct name n = {text, rg__decl_key(&f->u, c),
                     kind == CXCursor_StructDecl || kind == CXCursor_UnionDecl || kind == CXCursor_EnumDecl, false,
                     true};
    enum CX_StorageClass storage = k->Cursor_getStorageClass(c);
    if (kind == CXCursor_FunctionDecl) n.defines = k->isCursorDefinition(c);
    if (kind == CXCursor_VarDecl) {
        struct rg__children kids = rg__cursor_children(&f->u, c, &f->u.src.arena);
        bool value = false;
        for (int i = 0; i < kids.n; i++)
            value |= rg__cursor_at(&f->u, kids.items[i]) > n.key && k->getCursorKind(kids.items[i]) != CXCursor_TypeRef;
        n.defines = storage != CX_SC_Extern || value;
    }
    n.external = (kind == CXCursor_FunctionDecl || kind == CXCursor_VarDecl) && storage != CX_SC_Static;
    RG_GROW(f->names, f->n_names, f->cap_names);
    f->names[f->n_names++] = n;
    f->pieces[f->n_pieces - 1].n_names++;
}

static enum CXChildVisitResult top(CXCursor c, CXCursor parent, CXClientData data)
{
    struct file *f = data;
    const struct rg__clang *k = f->u.c;
    const struct rg__source *s = &f->u.src;
    enum CXCursorKind kind = k->getCursorKind(c);
    uint32_t at = rg__cursor_at(&f->u, c), end = rg__cursor_end(&f->u, c);
    if (end <= at) return CXChildVisit_Continue;
    struct piece *last = f->n_pieces ? &f->pieces[f->n_pieces - 1] : NULL;
    if (!last || at >= last->end) {
        RG_GROW(f->pieces, f->n_pieces, f->cap_pieces);
        last = &f->pieces[f->n_pieces++];
        *last = (struct piece){.at = at,
                               .end = end,
                               .system = rg__source_place(s, at).system,
                               .first_name = f->n_names,
                               .first_cursor = f->n_cursors};
    }
    if (at < last->at) last->at = at;
    if (end > last->end) last->end = end;
    int tok = rg__tok_from(s, end);
    if (!(kind == CXCursor_FunctionDecl &&
          k->isCursorDefinition(c))) /* up to its ';', attributes and further declarators too */
        while (tok < s->n_toks && !rg__tok_is(s, tok, ";")) tok++;
    if (tok < s->n_toks && rg__tok_is(s, tok, ";") && s->toks[tok].at >= last->end) last->end = s->toks[tok].at + 1;
    RG_GROW(f->cursors, f->n_cursors, f->cap_cursors);
    f->cursors[f->n_cursors++] = c;
    last->n_cursors++;
    add_name(f, c);
    if (kind == CXCursor_EnumDecl) {
        struct rg__children kids = rg__cursor_children(&f->u, c, &f->u.src.arena);
        for (int i = 0; i < kids.n; i++)
            if (k->getCursorKind(kids.items[i]) == CXCursor_EnumConstantDecl) add_name(f, kids.items[i]);
    }
    return CXChildVisit_Continue;
}

static struct piece *piece_at(struct file *f, uint32_t key)
{
    int lo = 0, hi = f->n_pieces;
    while (lo < hi) {
        int mid = lo + (hi - lo) / 2;
        if (f->pieces[mid].end <= key)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < f->n_pieces && f->pieces[lo].at <= key ? &f->pieces[lo] : NULL;
}

/* The file-scope name that a cursor refers to; NULL: none of this file's. */
static struct name *referred(struct file *f, CXCursor c, struct piece **where)
{
    const struct rg__clang *k = f->u.c;
    enum CXCursorKind kind = k->getCursorKind(c);
    if (kind != CXCursor_DeclRefExpr && kind != CXCursor_TypeRef) return NULL;
    CXCursor d = k->getCursorReferenced(c);
    if (k->Cursor_isNull(d)) return NULL;
    uint32_t key = rg__decl_key(&f->u, d);
    struct piece *p = *where = piece_at(f, key);
    for (int i = 0; p && i < p->n_names; i++)
        if (f->names[p->first_name + i].key == key) return &f->names[p->first_name + i];
    return NULL;
}

struct site {
    uint32_t at;
    const char *to;
};

struct visit {
    struct link *l;
    struct file *f;
    struct rg_buf *sites; /* struct site, of renamed names; may be NULL */
    bool renamed;
};

static void want(struct link *l, struct file *f, struct piece *p);

static void resolve(struct link *l, const char *name)
{
    for (int i = 1; i < l->n; i++)
        for (int p = 0; p < l->files[i].n_pieces; p++)
            for (int k = 0; k < l->files[i].pieces[p].n_names; k++) {
                const struct name *n = &l->files[i].names[l->files[i].pieces[p].first_name + k];
                if (n->external && n->defines && !strcmp(n->text, name)) {
                    want(l, &l->files[i], &l->files[i].pieces[p]);
                    return;
                }
            }
}

static void follow(void *arg, CXCursor c)
{
    struct visit *v = arg;
    const struct rg__clang *k = v->f->u.c;
    struct piece *where = NULL;
    const struct name *n = referred(v->f, c, &where);
    if (where) want(v->l, v->f, where);
    if (k->getCursorKind(c) != CXCursor_DeclRefExpr) return;
    CXCursor d = k->getCursorReferenced(c), def = k->getCursorDefinition(d);
    enum CXCursorKind kind = k->getCursorKind(d);
    if (kind != CXCursor_FunctionDecl && kind != CXCursor_VarDecl) return;
    struct piece *there = k->Cursor_isNull(def) ? NULL : piece_at(v->f, rg__decl_key(&v->f->u, def));
    if (there)
        want(v->l, v->f, there);
    else if (n && n->external && !n->defines)
        resolve(v->l, n->text);
    else if (!n && kind == CXCursor_FunctionDecl && k->Cursor_isNull(def))
        resolve(v->l, rg__cursor_name(&v->f->u, d, &v->f->u.src.arena)); /* never declared */
}

static void want(struct link *l, struct file *f, struct piece *p)
{
    if (p->wanted) return;
    p->wanted = true;
    struct visit v = {.l = l, .f = f};
    for (int i = 0; i < p->n_cursors; i++) rg__cursor_walk(&f->u, f->cursors[p->first_cursor + i], follow, &v);
}

static bool same_text(const struct rg__source *s, const struct piece *p, const struct rg__source *t,
                      const struct piece *q)
{
    int i = rg__tok_from(s, p->at), k = rg__tok_from(t, q->at);
    for (; i < s->n_toks && s->toks[i].at < p->end; i++, k++)
        if (k >= t->n_toks || t->toks[k].at >= q->end || s->toks[i].len != t->toks[k].len ||
            memcmp(s->text + s->toks[i].at, t->text + t->toks[k].at, s->toks[i].len))
            return false;
    return k >= t->n_toks || t->toks[k].at >= q->end;
}

static const struct renamed *renamed(const struct file *f, const struct name *n)
{
    for (int i = 0; i < f->n_renamed; i++)
        if (f->renamed[i].tag == n->tag && !strcmp(f->renamed[i].from, n->text)) return &f->renamed[i];
    return NULL;
}

static void add_site(void *arg, CXCursor c)
{
    struct visit *v = arg;
    struct piece *where = NULL;
    const struct name *n = referred(v->f, c, &where);
    const struct renamed *r = n ? renamed(v->f, n) : NULL;
    if (!r) return;
    v->renamed = true;
    if (v->sites)
        rg_buf_add(v->sites, (const char *)&(struct site){rg__decl_key(&v->f->u, c), r->to}, sizeof(struct site));
}

static bool mentions_renamed(struct link *l, struct file *f, const struct piece *p)
{
    struct visit v = {.l = l, .f = f};
    for (int i = 0; i < p->n_cursors; i++) rg__cursor_walk(&f->u, f->cursors[p->first_cursor + i], add_site, &v);
    return v.renamed;
}

/* How a name of files[file] stands to those of the files before: */
enum meeting { ALONE, SAME, OTHER };
static enum meeting meets(struct link *l, int file, const struct piece *p, const struct name *n)
{
    enum meeting found = ALONE;
    for (int i = 0; i < file; i++)
        for (int q = 0; q < l->files[i].n_pieces; q++) {
            const struct file *g = &l->files[i];
            const struct piece *b = &g->pieces[q];
            if (i && !b->wanted) continue;
            for (int k = 0; k < b->n_names; k++) {
                const struct name *m = &g->names[b->first_name + k];
                if (m->tag != n->tag || strcmp(m->text, n->text) || renamed(g, m)) continue;
                if (p->system || same_text(&l->files[file].u.src, p, &g->u.src, b)) return SAME;
                if (!(n->external && m->external) && n->defines) found = OTHER;
            }
        }
    return found;
}

static bool taken(const struct link *l, const char *name)
{
    for (int i = 0; i < l->n; i++) {
        for (int k = 0; k < l->files[i].n_names; k++)
            if (!strcmp(l->files[i].names[k].text, name)) return true;
        for (int k = 0; k < l->files[i].n_renamed; k++)
            if (!strcmp(l->files[i].renamed[k].to, name)) return true;
    }
    return false;
}

static void rename_one(struct link *l, int file, const struct name *n)
{
    struct file *f = &l->files[file];
    if (renamed(f, n)) return;
    const char *to;
    int k = file + 1;
    do to = rg_arena_printf(&f->u.src.arena, "%s_%d", n->text, k++);
    while (taken(l, to));
    RG_GROW(f->renamed, f->n_renamed, f->cap_renamed);
    f->renamed[f->n_renamed++] = (struct renamed){n->text, to, n->tag};
}

/* Clashes; and what has the same text but means another thing by it. */
static void rename_all(struct link *l, int file)
{
    struct file *f = &l->files[file];
    for (bool more = true; more;) {
        more = false;
        for (int p = 0; p < f->n_pieces; p++) {
            const struct piece *x = &f->pieces[p];
            if (!x->wanted || x->system) continue;
            int differs = -1;
            for (int i = 0; i < x->n_names; i++) {
                const struct name *n = &f->names[x->first_name + i];
                if (renamed(f, n)) continue;
                enum meeting m = meets(l, file, x, n);
                if (m == SAME && !n->external && differs < 0) differs = mentions_renamed(l, f, x);
                if (m == OTHER || (m == SAME && differs == 1)) {
                    rename_one(l, file, n);
                    more = true;
                }
            }
        }
    }
}

static bool is_there(struct link *l, int file, const struct piece *p)
{
    const struct file *f = &l->files[file];
    bool same = false;
    for (int i = 0; i < p->n_names; i++) {
        const struct name *n = &f->names[p->first_name + i];
        if (renamed(f, n)) return false;
        same |= meets(l, file, p, n) == SAME;
    }
    return same;
}

static int by_place(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static void append(struct link *l, int file, const struct piece *p, struct rg_buf *out)
{
    struct file *f = &l->files[file];
    const struct rg__source *s = &f->u.src;
    struct rg_buf sites = RG_BUF_INIT;
    struct visit v = {.l = l, .f = f, .sites = &sites};
    for (int i = 0; i < p->n_names; i++) {
        const struct name *n = &f->names[p->first_name + i];
        const struct renamed *r = renamed(f, n);
        if (r) rg_buf_add(&sites, (const char *)&(struct site){n->key, r->to}, sizeof(struct site));
    }
    for (int i = 0; i < p->n_cursors; i++) rg__cursor_walk(&f->u, f->cursors[p->first_cursor + i], add_site, &v);
    struct site *at = (struct site *)sites.data;
    size_t n = sites.len / sizeof *at;
    if (n) qsort(at, n, sizeof *at, by_place);
    struct rg__place place = rg__source_place(s, p->at);
    rg_buf_printf(out, "\n# %d \"%s\"%s\n%*s", place.line, place.file, p->system ? " 3" : "", place.column - 1, "");
    uint32_t from = p->at;
    for (size_t i = 0; i < n; i++) {
        int tok = rg__tok_from(s, at[i].at);
        if (at[i].at < from || tok >= s->n_toks) continue; /* met twice: by a typedef and the structure in it */
        rg_buf_add(out, s->text + from, at[i].at - from);
        rg_buf_str(out, at[i].to);
        from = s->toks[tok].at + s->toks[tok].len;
    }
    rg_buf_add(out, s->text + from, p->end - from);
    rg_buf_release(&sites);
}

static void release(struct link *l)
{
    for (int i = 0; i < l->n; i++) {
        struct file *f = &l->files[i];
        free(f->pieces);
        free(f->names);
        free(f->cursors);
        free(f->renamed);
        if (i && f->u.c) rg__unit_close(&f->u);
    }
    free(l->files);
}

enum rg_status rg__unit_link(struct rg__unit *u, const char *const *with, int n_with, const char *cflags,
                             struct rg_error *err)
{
    struct link l = {.n = 1, .files = rg_xcalloc((size_t)n_with + 1, sizeof *l.files)};
    l.files[0].u = *u; /* borrowed: nothing of it changes below */
    enum rg_status st = RG_OK;
    for (int i = 0; i < n_with && st == RG_OK; i++) {
        st = rg__unit_open(&l.files[l.n].u, with[i], cflags, err);
        if (st == RG_OK) l.n++;
    }
    for (int i = 0; i < l.n && st == RG_OK; i++)
        u->c->visitChildren(u->c->getTranslationUnitCursor(l.files[i].u.tu), top, &l.files[i]);
    struct visit v = {.l = &l, .f = &l.files[0]};
    for (int i = 0; i < u->n_functions && st == RG_OK; i++)
        if (strcmp(u->functions[i].name, "main")) rg__cursor_walk(u, u->functions[i].body, follow, &v);
    struct rg_buf text = RG_BUF_INIT;
    rg_buf_add(&text, u->src.text, u->src.len);
    size_t own = text.len;
    for (int i = 1; i < l.n && st == RG_OK; i++) {
        rename_all(&l, i);
        for (int p = 0; p < l.files[i].n_pieces; p++)
            if (l.files[i].pieces[p].wanted && !is_there(&l, i, &l.files[i].pieces[p]))
                append(&l, i, &l.files[i].pieces[p], &text);
    }
    u->src.arena = l.files[0].u.src.arena; /* which may have grown */
    if (st == RG_OK && text.len > own) {
        struct rg__unit whole;
        rg_buf_char(&text, '\n');
        size_t len = text.len;
        struct rg_error none = RG_ERROR_INIT;
        /* Files that do not agree about a type stay apart: calls go to functions without a body then. */
        if (rg__unit_parse(&whole, rg_buf_steal(&text), len, cflags, &none) == RG_OK) {
            if (whole.n_problems > u->n_problems) {
                rg__unit_close(&whole);
            } else {
                rg__unit_close(u);
                *u = whole;
                u->linked_at = (uint32_t)own;
            }
        }
    }
    rg_buf_release(&text);
    release(&l);
    return st;
}

bool rg__unit_linked(const struct rg__unit *u, uint32_t at)
{
    return u->linked_at && at >= u->linked_at;
}
