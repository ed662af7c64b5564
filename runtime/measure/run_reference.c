/* References on the device: what large outputs of the timed size are compared with, so that they need not come to the
 * host. Veiled (helpers.cu), as a kernel that finds the results somewhere must not be able to copy them. */
#include "runtime/measure/runner.h"
#include <rg/hash.h>
#include <sys/random.h>

enum {
    WORTH_BYTES = 32 << 20, /* below, the host is quick enough */
    SHARE = 32              /* of the memory, at most: candidates need room, too */
};

static int real_bytes(const struct rg_runner *r, int i)
{
    return (int)r->problem->params[i].elem_bytes;
}

static bool draw_veil(struct rg_runner *r)
{
    while (!r->veil)
        if (getrandom(&r->veil, sizeof r->veil, 0) != sizeof r->veil) return false;
    return true;
}

void rg__reference_drop(struct rg_runner *r, struct rg_resident *c, int i)
{
    if (c->references[i].at) r->device.release(r->device.self, c->references[i].at);
    c->references[i].at = 0;
}

static bool worth(const struct rg_runner *r, const struct rg_resident *c, int i)
{
    const struct rg_param *p = &r->problem->params[i];
    int64_t bytes = c->layout.slots[i].bytes, most = r->device.facts.memory_bytes / SHARE;
    if (!r->device.compare || !r->device.veil || !c->c.timed) return false;
    return (p->elem == RG_F32 || p->elem == RG_F64) && bytes >= WORTH_BYTES && bytes <= most;
}

/* From the device's buffer, or the host's memory. */
static void keep(struct rg_runner *r, struct rg_resident *c, int i, rg_addr device, const void *host, int elem_bytes)
{
    struct rg_device *d = &r->device;
    struct rg_reference *ref = &c->references[i];
    struct rg_error ignored = RG_ERROR_INIT;
    int64_t n = c->layout.slots[i].elements;
    size_t bytes = (size_t)(n * elem_bytes);
    rg__reference_drop(r, c, i);
    if (!draw_veil(r) || d->alloc(d->self, bytes, "a reference", &ref->at, &ignored) != RG_OK) {
        ref->at = 0;
        return;
    }
    enum rg_status s = device ? d->copy(d->self, ref->at, device, bytes, &ignored)
                              : d->to_device(d->self, ref->at, host, bytes, &ignored);
    if (s == RG_OK) s = d->veil(d->self, ref->at, elem_bytes, n, r->veil, &ignored);
    if (s == RG_OK) s = d->hash(d->self, ref->at, bytes, &ref->hash, &ignored);
    if (s != RG_OK) rg__reference_drop(r, c, i);
}

void rg__reference_set(struct rg_runner *r, struct rg_resident *c, int i)
{
    rg__reference_drop(r, c, i);
    if (worth(r, c, i)) keep(r, c, i, c->buffers[i], NULL, real_bytes(r, i));
}

bool rg__reference_agrees(struct rg_runner *r, struct rg_resident *c, int i, const struct rg_compare *cmp)
{
    struct rg_device *d = &r->device;
    struct rg_reference *ref = &c->references[i];
    struct rg_error ignored = RG_ERROR_INIT;
    struct rg_device_compare q = {
        .got = c->buffers[i], .got_bytes = real_bytes(r, i), .n = c->layout.slots[i].elements};
    if (!worth(r, c, i) || !rg__compare_bounds(cmp, &q.bounds)) return false;
    q.ref_bytes = cmp->oracle ? (int)sizeof(double) : q.got_bytes;
    size_t bytes = (size_t)(q.n * q.ref_bytes);
    uint64_t hash = 0;
    if (ref->at && (d->hash(d->self, ref->at, bytes, &hash, &ignored) != RG_OK || hash != ref->hash))
        rg__reference_drop(r, c, i);
    if (!ref->at) keep(r, c, i, 0, cmp->oracle ? (const void *)cmp->oracle : cmp->expect, q.ref_bytes);
    if (!ref->at) return false;
    q.veiled = ref->at;
    q.key = r->veil;
    int64_t odd = 0;
    return d->compare(d->self, &q, &odd, &ignored) == RG_OK && odd == 0;
}
