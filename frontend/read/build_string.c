/* String literals. C lets one fill an array without its zero (`char hex[16] = "0123456789abcdef"`), C++ does not, and
 * arrays of a function have numbers for their elements: then its bytes are a braced list. So are the characters of a
 * wide one (`wchar_t v[] = L"aeiou"`), whose elements are numbers always. */
#include "frontend/read/build.h"
#include "frontend/read/build_string.h"
#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 4096 };

/* Literals that stand side by side are one. */
const char *rg__string_text(struct rg__build *b, CXCursor c)
{
    const struct rg__source *s = &b->u->src;
    struct rg_buf text = RG_BUF_INIT;
    for (int tok = rg__tok_from(s, rg__cursor_at(b->u, c)); tok < s->n_toks; tok++) {
        if (s->toks[tok].kind != RG__TOK_STRING) break;
        if (text.len) rg_buf_char(&text, ' ');
        rg_buf_str(&text, rg__tok_text(s, tok, &b->t->arena));
    }
    const char *kept = rg_arena_strdup(&b->t->arena, text.data ? text.data : "");
    rg_buf_release(&text);
    return kept;
}

static int digit(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : 16;
}

/* The byte behind a backslash, and behind it the text. -1: none that has one byte. */
static int escaped(const char **at)
{
    static const char names[] = "abfnrtv\\'\"?", bytes[] = "\a\b\f\n\r\t\v\\'\"?";
    const char *p = *at, *name = *p ? strchr(names, *p) : NULL;
    int v = 0;
    if (name) {
        *at = p + 1;
        return (unsigned char)bytes[name - names];
    }
    const bool hex = *p == 'x';
    const int base = hex ? 16 : 8;
    const char *first = p += hex;
    while (digit(*p) < base && v < 256 && (hex || p - first < 3)) v = v * base + digit(*p++);
    *at = p;
    return p > first && v < 256 ? v : -1;
}

/* The rest of a character of several bytes, the first of which is `v`; -1: it is none. */
static int utf8(int v, const char **at)
{
    int more = v >= 0xF0 ? 3 : v >= 0xE0 ? 2 : v >= 0xC0 ? 1 : -1;
    if (v < 0x80) return v;
    if (more < 0) return -1;
    v &= 0x3F >> more;
    for (; more > 0; more--) {
        int next = (unsigned char)*(*at)++;
        if ((next & 0xC0) != 0x80) return -1;
        v = v << 6 | (next & 0x3F);
    }
    return v;
}

/* The characters of literals as rg__string_text writes them, without a last zero, for elements of so many bytes; -1:
 * another kind of literal, or too many. */
static int characters_of(const char *text, size_t bytes, int *out)
{
    int n = 0;
    const char prefix = strchr("LuU", *text) && text[1] == '"' ? *text : 0; /* of the first: it is all others', too */
    if (bytes != (!prefix ? 1 : prefix == 'u' ? 2 : 4)) return -1;
    for (const char *p = text; *p;) {
        if (*p == ' ') p++;
        if (prefix && *p == prefix) p++;
        if (*p++ != '"') return -1; /* u8"" */
        while (*p && *p != '"') {
            int v = (unsigned char)*p++;
            v = v == '\\' ? escaped(&p) : bytes > 1 ? utf8(v, &p) : v;
            if (v < 0 || n == MOST_BYTES || (bytes == 2 && v > 0xFFFF)) return -1;
            out[n++] = v;
        }
        if (*p++ != '"') return -1;
    }
    return n;
}

struct rg_cnode *rg__string_list(struct rg__build *b, const struct rg_cnode *string, CXType array, bool always)
{
    CXType elem = b->c->getArrayElementType(b->c->getCanonicalType(array));
    const long long room = b->c->getArraySize(b->c->getCanonicalType(array));
    enum rg_scalar s;
    if (!rg__type_is_array(b->u, array) || !rg__type_scalar(b->u, elem, &s) || !rg__scalar_is_int(s)) return NULL;
    int *characters = rg_xmalloc(MOST_BYTES * sizeof *characters);
    struct rg_cnode *l = NULL;
    int n = characters_of(string->text, rg_scalar_bytes(s), characters);
    if (n >= 0 && (always || n == room || rg_scalar_bytes(s) > 1)) {
        n = n < room ? n : (int)room;
        l = rg_cnode_new(b->t, RG_C_INITLIST, n);
        l->type = s;
        for (int i = 0; i < n; i++) {
            int v = characters[i];
            if (rg_scalar_bytes(s) == 1 && rg_scalar_is_signed(s) && v > 127) v -= 256;
            l->kid[i] = rg__c_cast(b->t, rg__c_int(b->t, v), s);
        }
    }
    free(characters);
    return l;
}

static int table_in_tree(const struct rg_ctree *t, const char *name)
{
    for (int i = 0; i < t->n_arrays; i++)
        if (t->arrays[i].constant_table && !strcmp(t->arrays[i].name, name)) return i;
    return -1;
}

/* Literals of the same text are one table, whose key is no declaration's. */
static const char *declared_table(struct rg__build *b, const char *literal, const int *characters, int n)
{
    struct rg_arena *a = &b->p->arena;
    for (int i = 0; i < b->n_device_tables; i++)
        if (b->device_tables[i].literal && !strcmp(b->device_tables[i].literal, literal) &&
            (table_in_tree(b->t, b->device_tables[i].name) >= 0 ||
             !strcmp(rg__c_unique(b->t, b->device_tables[i].name), b->device_tables[i].name)))
            return b->device_tables[i].name;
    struct rg__table x = {.key = UINT32_MAX - (uint32_t)b->n_device_tables, .literal = rg_arena_strdup(a, literal)};
    x.name = rg_arena_strdup(a, rg__table_name(b, x.key, "rg_characters"));
    struct rg_buf text = RG_BUF_INIT;
    rg_buf_printf(&text, "__constant__ const %s %s[%d] = {", rg_scalar_cuda(RG_CHAR), x.name, n + 1);
    for (int i = 0; i < n; i++) rg_buf_printf(&text, "%d, ", characters[i] - (characters[i] > 127 ? 256 : 0));
    rg_buf_str(&text, "0};\n");
    x.text = rg_arena_strdup(a, text.data);
    rg_buf_release(&text);
    RG_GROW(b->device_tables, b->n_device_tables, b->cap_device_tables);
    b->device_tables[b->n_device_tables++] = x;
    return x.name;
}

static bool is_narrow(const struct rg_cnode *e)
{
    return e->kind == RG_C_STRING && e->type == RG_CHAR && e->pointer && *e->text == '"';
}

/* upper ? "ABC" : "abc": one table of both, in which the condition says where. */
static struct rg_cnode *one_of_two(struct rg__build *b, const struct rg_cnode *choice)
{
    int *characters = rg_xmalloc(MOST_BYTES * sizeof *characters);
    const int first = characters_of(choice->kid[1]->text, 1, characters);
    free(characters);
    struct rg_cnode *both = rg__c_copy(b->t, choice->kid[1]);
    both->text = rg_arena_printf(&b->t->arena, "%s \"\\0\" %s", choice->kid[1]->text, choice->kid[2]->text);
    struct rg_cnode *table = first < 0 ? NULL : rg__string_table(b, both);
    if (!table) return NULL;
    struct rg_cnode *at = rg__c_operation(b->t, RG_C_BINARY, RG_COP_ADD);
    at->type = RG_CHAR;
    at->pointer = true;
    at->kid[0] = table;
    at->kid[1] = rg__c_choice(b->t, choice->kid[0], rg__c_cast(b->t, rg__c_int(b->t, 0), RG_LONG),
                              rg__c_cast(b->t, rg__c_int(b->t, first + 1), RG_LONG));
    return at;
}

struct rg_cnode *rg__string_table(struct rg__build *b, const struct rg_cnode *string)
{
    if (string->kind == RG_C_COND && string->pointer && is_narrow(string->kid[1]) && is_narrow(string->kid[2]) &&
        rg__c_pure(b->t, string->kid[0]))
        return one_of_two(b, string);
    if (!is_narrow(string)) return NULL;
    int *characters = rg_xmalloc(MOST_BYTES * sizeof *characters);
    const int n = characters_of(string->text, 1, characters);
    const char *name = n >= 0 ? declared_table(b, string->text, characters, n) : NULL;
    int array = name ? table_in_tree(b->t, name) : -1;
    if (name && array < 0) {
        array = rg__c_add_array(b->t, name, RG_CHAR);
        struct rg_carray *x = &b->t->arrays[array];
        x->c_elem = rg_scalar_c(RG_CHAR);
        x->n_dims = 1;
        x->dims = rg_arena_alloc(&b->t->arena, sizeof *x->dims);
        x->dims[0] = rg__int_expr(&b->t->arena, n + 1);
        x->constant_table = x->is_const = x->bounded = true;
        int64_t *values = rg_arena_alloc(&b->t->arena, ((size_t)n + 1) * sizeof *values);
        for (int i = 0; i <= n; i++) {
            values[i] = i == n ? 0 : characters[i] - (characters[i] > 127 ? 256 : 0);
            x->least = values[i] < x->least ? values[i] : x->least;
            x->most = values[i] > x->most ? values[i] : x->most;
        }
        x->values = values;
    }
    free(characters);
    return array < 0 ? NULL : rg__c_array_name(b->t, array);
}

struct rg__sym *rg__string_bind(struct rg__build *b, uint32_t key, CXCursor init)
{
    init = rg__strip_parens(b, init);
    struct rg__children kids = rg__cursor_children(b->u, init, &b->p->arena);
    bool choice = b->hoist && b->c->getCursorKind(init) == CXCursor_ConditionalOperator && kids.n == 3;
    for (int i = 1; i < 3 && choice; i++)
        choice = b->c->getCursorKind(rg__strip_parens(b, kids.items[i])) == CXCursor_StringLiteral;
    if (b->c->getCursorKind(init) != CXCursor_StringLiteral && (!choice || rg__sets_or_calls(b, kids.items[0], true)))
        return NULL;
    struct rg_cnode *table = rg__string_table(b, rg__build_expr(b, init));
    if (!table) return NULL;
    if (table->kind != RG_C_VAR) {
        const int off_var = rg__c_add_var(b->t, "characters_at", RG_CVAR_LOCAL, RG_LONG);
        rg__sym_add(b, key, RG__SYM_ALIAS)->off_var = off_var;
        return rg__alias_assign(b, rg__sym_find(b, key), table, true, b->hoist) ? rg__sym_find(b, key) : NULL;
    }
    struct rg__sym *s = rg__sym_add(b, key, RG__SYM_ARRAY);
    s->array = table->array;
    return s;
}
