/* String literals. C lets one fill an array without its zero (`char hex[16] = "0123456789abcdef"`), C++ does not, and
 * arrays of a function have numbers for their elements: then its bytes are a braced list. So are the characters of a
 * wide one (`wchar_t v[] = L"aeiou"`), whose elements are numbers always. */
#include "frontend/read/build.h"
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
