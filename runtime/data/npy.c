#include "runtime/data/npy.h"
#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* The header is a Python dict literal: {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }. Finds the value
 * of a key; NULL when there is none. Keys of the format hold no quotes. */
static const char *value_of(const char *h, const char *end, const char *key)
{
    size_t n = strlen(key);
    for (const char *p = h; p + n + 2 < end; p++) {
        if ((*p != '\'' && *p != '"') || strncmp(p + 1, key, n) || p[n + 1] != *p) continue;
        for (p += n + 2; p < end && (*p == ' ' || *p == ':'); p++) {
        }
        return p < end ? p : NULL;
    }
    return NULL;
}

static enum rg_status bad(struct rg_error *err, const char *name, const char *what)
{
    return rg_error_set(err, RG_INPUT, "%s: %s", name, what);
}

static enum rg_status parse_shape(const char *p, const char *end, const char *name, struct rg_npy *out,
                                  struct rg_error *err)
{
    if (*p != '(') return bad(err, name, "not a valid .npy header: no shape");
    out->elements = 1;
    for (p++; p < end && *p != ')';) {
        if (*p == ' ' || *p == ',') {
            p++;
            continue;
        }
        if (!isdigit((unsigned char)*p)) return bad(err, name, "not a valid .npy header: shape");
        int64_t d = 0;
        for (; p < end && isdigit((unsigned char)*p); p++)
            if (__builtin_mul_overflow(d, 10, &d) || __builtin_add_overflow(d, *p - '0', &d))
                return bad(err, name, "an extent overflows");
        if (p < end && *p == 'L') p++; /* Python 2 wrote longs so */
        if (out->n_dims == RG_NPY_MAX_DIMS) return bad(err, name, "more than 16 dimensions");
        out->dims[out->n_dims++] = d;
        if (__builtin_mul_overflow(out->elements, d, &out->elements)) return bad(err, name, "its size overflows");
    }
    return p < end ? RG_OK : bad(err, name, "not a valid .npy header: shape");
}

static enum rg_status parse_descr(const char *p, const char *end, const char *name, struct rg_npy *out,
                                  struct rg_error *err)
{
    if (end - p < 5 || (*p != '\'' && *p != '"'))
        return bad(err, name, "its elements are records; only plain numbers can be read");
    char order = p[1], kind = p[2];
    if (order == '>')
        return bad(err, name, "its numbers are big-endian: save with a.astype(a.dtype.newbyteorder('<'))");
    int bytes = 0;
    for (p += 3; p < end && isdigit((unsigned char)*p) && bytes < 100; p++) bytes = bytes * 10 + (*p - '0');
    if (!strchr("<|=", order) || !strchr("fiub", kind) || (bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8) ||
        p >= end || (*p != '\'' && *p != '"'))
        return bad(err, name, "its element type cannot be read (integers and floats of 1 to 8 bytes can)");
    out->kind = kind;
    out->bytes = bytes;
    return RG_OK;
}

enum rg_status rg__npy_parse(const void *image, size_t len, const char *name, struct rg_npy *out, struct rg_error *err)
{
    const unsigned char *b = image;
    memset(out, 0, sizeof *out);
    if (len < 10 || memcmp(b, "\x93NUMPY", 6)) return bad(err, name, "not a .npy file");
    size_t at = b[6] == 1 ? 10 : 12, hlen;
    if (b[6] < 1 || b[6] > 3 || len < at) return bad(err, name, "an unknown .npy version");
    hlen = b[8] | (size_t)b[9] << 8;
    if (at == 12) hlen |= (size_t)b[10] << 16 | (size_t)b[11] << 24;
    if (hlen > len - at) return bad(err, name, "cut short");
    const char *h = (const char *)b + at, *end = h + hlen;
    const char *descr = value_of(h, end, "descr"), *order = value_of(h, end, "fortran_order"),
               *shape = value_of(h, end, "shape");
    if (!descr || !order || !shape) return bad(err, name, "not a valid .npy header");
    enum rg_status s = parse_descr(descr, end, name, out, err);
    if (s == RG_OK) s = parse_shape(shape, end, name, out, err);
    if (s != RG_OK) return s;
    if (end - order >= 4 && !strncmp(order, "True", 4) && out->n_dims > 1)
        return bad(err, name, "in Fortran order: save with np.save(file, np.ascontiguousarray(a))");
    int64_t bytes;
    if (__builtin_mul_overflow(out->elements, (int64_t)out->bytes, &bytes) || bytes > (int64_t)(len - at - hlen)) {
        *out = (struct rg_npy){0};
        return bad(err, name, "cut short: its header promises more elements than it has");
    }
    out->data = h + hlen;
    return RG_OK;
}

bool rg__npy_is(const struct rg_npy *n, enum rg_scalar t)
{
    if (n->bytes != (int)rg_scalar_bytes(t)) return false;
    if (rg_scalar_is_real(t)) return n->kind == 'f';
    if (t == RG_BOOL) return n->kind == 'b' || n->kind == 'u';
    return n->kind == (rg_scalar_is_signed(t) ? 'i' : 'u');
}

void rg__npy_describe(const struct rg_npy *n, char *out, size_t size)
{
    const char *word = n->kind == 'f' ? "float" : n->kind == 'i' ? "int" : n->kind == 'u' ? "uint" : "bool";
    int at = n->kind == 'b' ? snprintf(out, size, "bool of shape (")
                            : snprintf(out, size, "%s%d of shape (", word, n->bytes * 8);
    for (int i = 0; i < n->n_dims && at >= 0 && (size_t)at < size; i++)
        at += snprintf(out + at, size - (size_t)at, "%s%lld", i ? ", " : "", (long long)n->dims[i]);
    if (at >= 0 && (size_t)at < size) snprintf(out + at, size - (size_t)at, ")");
}
