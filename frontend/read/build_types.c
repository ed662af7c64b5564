/* Structures as the device and the runtime see them: flattened scalar fields at byte offsets. */
#include "frontend/read/build.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

const char *rg__strip_qualifiers(struct rg_arena *a, const char *spelling)
{
    static const char *const words[] = {"const", "volatile", "restrict", "__restrict", "__restrict__", "_Atomic"};
    struct rg_buf out = RG_BUF_INIT;
    for (const char *p = spelling; *p;) {
        if (isalnum((unsigned char)*p) || *p == '_') {
            size_t n = 0;
            while (isalnum((unsigned char)p[n]) || p[n] == '_') n++;
            bool drop = false;
            for (size_t i = 0; i < sizeof words / sizeof *words; i++)
                drop |= strlen(words[i]) == n && !memcmp(words[i], p, n);
            if (!drop) rg_buf_add(&out, p, n);
            p += n;
        } else {
            bool double_blank = *p == ' ' && (!out.len || out.data[out.len - 1] == ' ');
            if (!double_blank) rg_buf_char(&out, *p);
            p++;
        }
    }
    while (out.len && out.data[out.len - 1] == ' ') out.data[--out.len] = 0;
    const char *s = rg_arena_strdup(a, out.data);
    rg_buf_release(&out);
    return s;
}

const char *rg__plain_type(struct rg__build *b, CXType t)
{
    struct rg_arena *a = &b->p->arena;
    enum rg_scalar part;
    if (rg__type_complex(b, t, &part)) return rg__complex_name(part);
    CXType canonical = b->c->getCanonicalType(t);
    const char *name = rg__strip_qualifiers(a, rg__type_name(b->u, canonical, a));
    if (!rg__type_is_record(b->u, canonical) || !strchr(name, '(')) return name;
    /* `struct { ... } at;`: libclang says where it stands; device code needs a name. Text of the host never has this
     * one. */
    CXCursor decl = b->c->getTypeDeclaration(canonical);
    return rg_arena_printf(a, "%s rg_unnamed_%u", b->c->getCursorKind(decl) == CXCursor_UnionDecl ? "union" : "struct",
                           (unsigned)rg__decl_key(b->u, decl));
}

struct fields {
    struct rg__build *b;
    const char *prefix;
    int64_t base;     /* bytes from the start of the outermost struct */
    const char *what; /* for messages */
    int n, cap;
    struct rg_field *items;
    bool bad;
    int depth;
};

static enum CXVisitorResult field(CXCursor c, CXClientData data);

static bool record_fields(struct fields *f, CXType t, const char *prefix, int64_t base)
{
    struct rg__build *b = f->b;
    CXType canonical = b->c->getCanonicalType(t);
    CXCursor decl = b->c->getTypeDeclaration(canonical);
    if (b->c->getCursorKind(decl) == CXCursor_UnionDecl) {
        struct rg__place p = rg__source_place(&b->u->src, rg__decl_key(b->u, decl));
        rg_error_at(b->err, RG_INPUT, p.file, p.line, p.column,
                    "%s holds a union; give it one member, or pass the members as separate parameters", f->what);
        return false;
    }
    const char *before_prefix = f->prefix;
    int64_t before_base = f->base;
    f->prefix = prefix;
    f->base = base;
    f->depth++;
    if (f->depth < 16) b->c->Type_visitFields(canonical, field, f);
    f->depth--;
    f->prefix = before_prefix;
    f->base = before_base;
    return !f->bad;
}

static bool refuse_field(struct fields *f, CXCursor c, const char *name, const char *why)
{
    struct rg__build *b = f->b;
    struct rg__place p = rg__source_place(&b->u->src, rg__decl_key(b->u, c));
    rg_error_at(b->err, RG_INPUT, p.file, p.line, p.column, "%s: member '%s' %s", f->what, name, why);
    f->bad = true;
    return false;
}

/* One member, or one element of an array of structs. */
static bool add_field(struct fields *f, CXCursor c, CXType t, const char *path, int64_t offset)
{
    struct rg__build *b = f->b;
    enum rg_scalar s;
    CXType single = t;
    while (rg__type_is_array(b->u, single)) single = b->c->getArrayElementType(b->c->getCanonicalType(single));
    if (b->c->getCanonicalType(single).kind == CXType_LongDouble)
        return refuse_field(f, c, path, "is long double, which no GPU has; use double");
    if (rg__type_scalar(b->u, t, &s)) {
        RG_GROW(f->items, f->n, f->cap);
        f->items[f->n++] = (struct rg_field){path, s, offset, 1, 0, {0}, 0};
        return true;
    }
    if (rg__type_complex(b, t, &s)) { /* two reals */
        RG_GROW(f->items, f->n, f->cap);
        f->items[f->n++] = (struct rg_field){path, s, offset, 2, 0, {0}, 0};
        return true;
    }
    if (rg__type_is_record(b->u, t)) return record_fields(f, t, path, offset);
    if (rg__type_is_array(b->u, t)) {
        CXType elem = t;
        int64_t count = 1, dims[4] = {0};
        int n_dims = 0;
        while (rg__type_is_array(b->u, elem)) {
            CXType canonical = b->c->getCanonicalType(elem);
            int64_t n = b->c->getArraySize(canonical);
            if (n <= 0 || n > 1 << 20) return refuse_field(f, c, path, "is an array of unknown or too great length");
            count *= n;
            if (n_dims < 4) dims[n_dims] = n;
            n_dims++;
            if (count > 1 << 20) return refuse_field(f, c, path, "is too great an array");
            elem = b->c->getArrayElementType(canonical);
        }
        if (rg__type_scalar(b->u, elem, &s)) {
            RG_GROW(f->items, f->n, f->cap);
            f->items[f->n++] = (struct rg_field){
                path, s, offset, count, n_dims <= 4 ? n_dims : 0, {dims[0], dims[1], dims[2], dims[3]}, 0};
            return true;
        }
        if (rg__type_complex(b, elem, &s)) {
            RG_GROW(f->items, f->n, f->cap);
            f->items[f->n++] = (struct rg_field){path, s, offset, 2 * count, 0, {0}, 0};
            return true;
        }
        if (!rg__type_is_record(b->u, elem) || count > 1024)
            return refuse_field(f, c, path, "is an array of something that cannot be transferred");
        CXType row = b->c->getArrayElementType(b->c->getCanonicalType(t)); /* of several dimensions: an array again */
        int64_t size = b->c->Type_getSizeOf(row), rows = b->c->getArraySize(b->c->getCanonicalType(t));
        for (int64_t i = 0; i < rows; i++)
            if (!add_field(f, c, row, rg_arena_printf(&b->p->arena, "%s[%lld]", path, (long long)i), offset + i * size))
                return false;
        return true;
    }
    if (rg__type_is_pointer(b->u, t))
        return refuse_field(
            f, c, path,
            "is a pointer; pointers inside structs cannot be transferred: pass the array as a parameter "
            "of its own (T *x with its length) and keep indices in the struct");
    return refuse_field(f, c, path, "has a type that the device has not");
}

/* The bytes that a bit-field lies in, each once for all that share it: as bytes they are filled, copied and compared.
 */
static bool add_bits(struct fields *f, CXCursor c, const char *name, int64_t first)
{
    struct rg__build *b = f->b;
    const CXType t = b->c->getCanonicalType(b->c->getCursorType(c));
    const int width = b->c->getFieldDeclBitWidth(c);
    if (!*name || !width) return true; /* nobody reads it */
    if (width < 0 || width > 32) return refuse_field(f, c, name, "is a bit-field of more than 32 bits; use an integer");
    if (t.kind == CXType_Enum) return refuse_field(f, c, name, "is a bit-field of an enumeration; use an integer");
    const char *path = *f->prefix ? rg_arena_printf(&b->p->arena, "%s.%s", f->prefix, name) : name;
    const int64_t from = 8 * f->base + first, to = from + width;
    for (int64_t byte = from / 8; byte <= (to - 1) / 8; byte++) {
        int bits = 0, k = 0;
        for (int bit = 0; bit < 8; bit++)
            if (8 * byte + bit >= from && 8 * byte + bit < to) bits |= 1 << bit;
        while (k < f->n && (!f->items[k].bits || f->items[k].offset != byte)) k++;
        if (k == f->n) {
            RG_GROW(f->items, f->n, f->cap);
            f->items[f->n++] =
                (struct rg_field){.path = rg_arena_printf(&b->p->arena, "%s:%lld", path, (long long)(byte - from / 8)),
                                  .type = RG_U8,
                                  .offset = byte,
                                  .count = 1};
        }
        f->items[k].bits |= bits;
    }
    return true;
}

static enum CXVisitorResult field(CXCursor c, CXClientData data)
{
    struct fields *f = data;
    struct rg__build *b = f->b;
    const char *name = rg__cursor_name(b->u, c, &b->p->arena);
    long long bits = b->c->Cursor_getOffsetOfField(c);
    if (b->c->Cursor_isBitField(c)) return add_bits(f, c, name, bits) ? CXVisit_Continue : CXVisit_Break;
    if (bits < 0 || bits % 8) {
        refuse_field(f, c, name, "has no byte offset");
        return CXVisit_Break;
    }
    const char *path = *f->prefix ? rg_arena_printf(&b->p->arena, "%s.%s", f->prefix, name) : name;
    if (!*name) path = f->prefix; /* an anonymous struct inside: its members count as ours */
    if (!add_field(f, c, b->c->getCursorType(c), path, f->base + bits / 8)) f->bad = true;
    return f->bad ? CXVisit_Break : CXVisit_Continue;
}

bool rg__has_bit_fields(const struct rg_struct *s)
{
    bool has = false;
    for (int f = 0; f < s->n_fields; f++) has |= s->fields[f].bits != 0;
    return has;
}

bool rg__is_bit_field(struct rg__build *b, CXCursor e)
{
    e = rg__strip_parens(b, e);
    return b->c->getCursorKind(e) == CXCursor_MemberRefExpr && b->c->Cursor_isBitField(b->c->getCursorReferenced(e));
}

int rg__build_struct(struct rg__build *b, CXType t, const char *what)
{
    int complex = rg__complex_struct(b, t);
    if (complex >= 0) return complex;
    const char *name = rg__plain_type(b, t);
    for (int i = 0; i < b->p->n_structs; i++)
        if (!strcmp(b->p->structs[i].c_name, name)) return i;
    struct fields f = {.b = b, .prefix = "", .what = what};
    bool ok = record_fields(&f, t, "", 0);
    int64_t bytes = b->c->Type_getSizeOf(b->c->getCanonicalType(t));
    if (ok && (!f.n || bytes <= 0)) {
        rg_error_set(b->err, RG_INPUT, "%s: the type '%s' has no members that could be transferred", what, name);
        ok = false;
    }
    if (!ok) {
        free(f.items);
        b->refused = true;
        return -1;
    }
    struct rg_struct *grown = rg_arena_alloc(&b->p->arena, (size_t)(b->p->n_structs + 1) * sizeof *grown);
    if (b->p->n_structs) memcpy(grown, b->p->structs, (size_t)b->p->n_structs * sizeof *grown);
    struct rg_struct *s = &grown[b->p->n_structs];
    s->c_name = name;
    s->bytes = bytes;
    s->n_fields = f.n;
    s->fields = rg_arena_alloc(&b->p->arena, (size_t)f.n * sizeof *s->fields);
    memcpy(s->fields, f.items, (size_t)f.n * sizeof *s->fields);
    free(f.items);
    b->p->structs = grown;
    return b->p->n_structs++;
}

int rg__build_local_struct(struct rg__build *b, CXType t, const char *what)
{
    struct rg_error own = RG_ERROR_INIT, *err = b->err;
    bool refused = b->refused;
    b->err = &own;
    int index = rg__build_struct(b, t, what);
    b->err = err;
    b->refused = refused;
    if (index < 0 && !b->verbatim) {
        b->verbatim = rg_arena_strdup(&b->t->arena, own.text);
        b->verbatim_line = own.line;
        b->verbatim_column = own.column;
    }
    return index;
}
