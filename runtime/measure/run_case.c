/* Cases on the device: inputs are uploaded once and stay; what a candidate may write is restored before every run. */
#include "runtime/measure/runner.h"
#include <rg/file.h>
#include <rg/hash.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void rg__fault_set(struct rg_fault *f, enum rg_outcome o, const char *fmt, ...)
{
    if (f->outcome != RG_OUTCOME_OK) return;
    f->outcome = o;
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(f->message, sizeof f->message, fmt, ap);
    va_end(ap);
}

enum rg_status rg__run_settle(struct rg_runner *r, enum rg_status s, struct rg_fault *fault, struct rg_error *err)
{
    if (s == RG_OK || r->device.simulated || fault->outcome != RG_OUTCOME_OK) return s;
    struct rg_fault f = {RG_OUTCOME_OK, ""};
    struct rg_error ignored = RG_ERROR_INIT;
    if (r->device.sync(r->device.self, &f, &ignored) != RG_OK || f.outcome == RG_OUTCOME_OK) return s;
    *fault = f;
    rg_error_clear(err);
    return RG_OK;
}

struct rg_resident *rg__timed_case(struct rg_runner *r)
{
    for (int i = 0; i < r->n_cases; i++)
        if (r->cases[i].c.timed) return &r->cases[i];
    return NULL;
}

static bool is_array(const struct rg_runner *r, int i)
{
    return r->problem->params[i].kind == RG_PARAM_ARRAY;
}

/* Several sets of timed inputs take turns in the buffers of the first: a kernel sees new values at the same addresses.
 */
static struct rg_resident *owner(struct rg_runner *r, struct rg_resident *c)
{
    return c->c.timed ? rg__timed_case(r) : c;
}

static bool takes_turns(const struct rg_runner *r, const struct rg_resident *c)
{
    int n = 0;
    for (int i = 0; i < r->n_cases; i++) n += r->cases[i].c.timed;
    return c->c.timed && n > 1 && !r->device.simulated;
}

static const char *input_of(const struct rg_resident *c, int i)
{
    return (const char *)c->data.data + c->layout.slots[i].input;
}

/* Where a structure has bytes that no member has, a copy of it whole may bring anything. */
static void tell_padding(struct rg_runner *r, int i, rg_addr at)
{
    const struct rg_param *q = &r->problem->params[i];
    if (q->elem != RG_STRUCT || !r->device.padding) return;
    struct rg_parts parts;
    rg__parts(r->problem, i, &parts);
    uint8_t *member = rg_xcalloc((size_t)q->elem_bytes, 1);
    for (int k = 0; k < parts.n; k++)
        memset(member + parts.fields[k].offset, 1,
               rg_scalar_bytes(parts.fields[k].type) * (size_t)parts.fields[k].count);
    r->device.padding(r->device.self, at, member, q->elem_bytes);
    free(member);
}

static enum rg_status bring_up_array(struct rg_runner *r, struct rg_resident *c, int i, struct rg_error *err)
{
    struct rg_device *d = &r->device;
    const struct rg_slot *t = &c->layout.slots[i];
    size_t bytes = (size_t)t->bytes;
    const struct rg_resident *o = owner(r, c);
    enum rg_status s = RG_OK;
    if (o != c)
        c->buffers[i] = o->buffers[i];
    else
        s = d->alloc(d->self, bytes, r->problem->params[i].name, &c->buffers[i], err);
    if (s == RG_OK && o == c) tell_padding(r, i, c->buffers[i]);
    if (s != RG_OK || t->input < 0) return s;
    bool keep = !d->simulated && (r->problem->params[i].role == RG_ROLE_INOUT || takes_turns(r, c));
    if (keep) s = d->alloc(d->self, bytes, "a pristine copy", &c->pristine[i], err);
    rg_addr to = keep ? c->pristine[i] : c->buffers[i];
    if (s == RG_OK) s = d->to_device(d->self, to, input_of(c, i), bytes, err);
    if (s == RG_OK && (!d->simulated || r->problem->params[i].role == RG_ROLE_IN))
        s = d->hash(d->self, to, bytes, &c->hashes[i], err);
    return s == RG_OK && keep && o == c ? d->copy(d->self, c->buffers[i], to, bytes, err) : s;
}

/* How long transfers of the inputs take, in s: once more, as the first touches the host's pages, allocates and hashes.
 */
static enum rg_status time_transfers(struct rg_runner *r, struct rg_resident *c, double *seconds, struct rg_error *err)
{
    enum rg_status s = RG_OK;
    const double start = rg_now();
    for (int i = 0; i < c->layout.n && s == RG_OK; i++) {
        const struct rg_slot *t = &c->layout.slots[i];
        const rg_addr to = c->pristine[i] ? c->pristine[i] : c->buffers[i];
        if (is_array(r, i) && t->input >= 0)
            s = r->device.to_device(r->device.self, to, input_of(c, i), (size_t)t->bytes, err);
    }
    *seconds = rg_now() - start;
    return s;
}

static enum rg_status bring_up(struct rg_runner *r, struct rg_resident *c, struct rg_error *err)
{
    enum rg_status s = c->data.base
                           ? RG_OK
                           : rg__shm_map(r->shm, c->c.at, c->c.timed, &c->data, err); /* timed cases take the anchor */
    if (s != RG_OK) return s;
    if (c->layout.bytes > c->c.at.len) return rg_error_set(err, RG_BUG, "a case's range is too short");
    c->up = true;
    double seconds, inputs = 0, arrays = 0;
    for (int i = 0; i < c->layout.n && s == RG_OK; i++) {
        if (!is_array(r, i)) continue;
        arrays += (double)c->layout.slots[i].bytes;
        if (c->layout.slots[i].input >= 0) inputs += (double)c->layout.slots[i].bytes;
        s = bring_up_array(r, c, i, err);
    }
    /* The exported function takes outputs to the device, too: what is written in part keeps the rest. */
    if (s == RG_OK && owner(r, c) == c && c->c.timed && !r->device.simulated && r->transfer_in_us <= 0 &&
        (s = time_transfers(r, c, &seconds, err)) == RG_OK)
        r->transfer_in_us = seconds * 1e6 * (inputs > 0 ? arrays / inputs : 1);
    if (s != RG_OK) rg__case_down(r, c);
    return s;
}

void rg__cases_settle(struct rg_runner *r)
{
    struct rg_error ignored = RG_ERROR_INIT;
    for (int again = 0; again < 2; again++)
        for (int i = 0; i < r->n_cases; i++)
            if (r->cases[i].c.again == (again == 1) && !r->cases[i].up && bring_up(r, &r->cases[i], &ignored) != RG_OK)
                return;
}

enum rg_status rg__case_up(struct rg_runner *r, struct rg_resident *c, struct rg_error *err)
{
    if (c->up) return RG_OK;
    struct rg_error e = RG_ERROR_INIT;
    enum rg_status s = bring_up(r, c, &e);
    if (s == RG_OK) return s;
    if (s == RG_LIMIT || s == RG_NOMEM) { /* a small device: the other cases make room */
        for (int i = 0; i < r->n_cases; i++)
            if (owner(r, &r->cases[i]) != owner(r, c)) rg__case_down(r, &r->cases[i]);
        rg_error_clear(&e);
        s = bring_up(r, c, &e);
        if (s == RG_OK) return s;
    }
    return rg_error_set(err, s, "%s", e.text);
}

void rg__case_down(struct rg_runner *r, struct rg_resident *c)
{
    bool own = owner(r, c) == c;
    for (int i = 0; own && c->c.timed && i < r->n_cases; i++)
        if (&r->cases[i] != c && r->cases[i].c.timed) rg__case_down(r, &r->cases[i]);
    for (int i = 0; i < c->layout.n; i++) {
        if (own && c->buffers[i]) r->device.release(r->device.self, c->buffers[i]);
        if (c->pristine[i]) r->device.release(r->device.self, c->pristine[i]);
        c->buffers[i] = c->pristine[i] = 0;
        rg__reference_drop(r, c, i);
    }
    rg__shm_unmap(&c->data);
    c->up = false;
}

/* A real device lets an earlier candidate's stray write through: what inputs come from is looked at before it is
 * trusted. */
static enum rg_status mend(struct rg_runner *r, struct rg_resident *c, int i, struct rg_error *err)
{
    struct rg_device *d = &r->device;
    size_t bytes = (size_t)c->layout.slots[i].bytes;
    rg_addr from = c->pristine[i] ? c->pristine[i] : c->buffers[i];
    uint64_t h;
    enum rg_status s = d->hash(d->self, from, bytes, &h, err);
    if (s != RG_OK || h == c->hashes[i]) return s;
    return d->to_device(d->self, from, input_of(c, i), bytes, err);
}

enum rg_status rg__timed_up(struct rg_runner *r, struct rg_resident **sets, int *n, struct rg_error *err)
{
    *n = 0;
    if (!rg__timed_case(r)) return rg_error_set(err, RG_BUG, "no case to time");
    enum rg_status s = RG_OK;
    for (int i = 0; i < r->n_cases && *n < RG_TIMED_SETS && s == RG_OK; i++) {
        struct rg_resident *c = &r->cases[i];
        if (!c->c.timed) continue;
        s = rg__case_up(r, c, err);
        for (int k = 0; k < c->layout.n && s == RG_OK; k++)
            if (is_array(r, k) && c->layout.slots[k].input >= 0) s = mend(r, c, k, err);
        sets[(*n)++] = c;
    }
    return s;
}

enum rg_status rg__case_restore(struct rg_runner *r, struct rg_resident *c, struct rg_error *err)
{
    struct rg_device *d = &r->device;
    enum rg_status s = RG_OK;
    for (int i = 0; i < c->layout.n && s == RG_OK; i++) {
        const struct rg_slot *t = &c->layout.slots[i];
        if (!is_array(r, i)) continue;
        switch (r->problem->params[i].role) {
        case RG_ROLE_IN:
            if (c->pristine[i])
                s = d->copy(d->self, c->buffers[i], c->pristine[i], (size_t)t->bytes, err);
            else if (!c->c.timed) /* on the simulated device, too: what is timed in parts there goes by places that the
                                     parts left out have not computed */
                s = mend(r, c, i, err);
            break;
        case RG_ROLE_OUT:
            s = d->fill(d->self, c->buffers[i], (size_t)t->bytes, 1, RG_POISON, err);
            if (s == RG_OK && d->undefined) d->undefined(d->self, c->buffers[i], (size_t)t->bytes, true);
            break;
        case RG_ROLE_INOUT:
            if (c->pristine[i] && !c->c.timed) s = mend(r, c, i, err);
            if (s == RG_OK && c->pristine[i])
                s = d->copy(d->self, c->buffers[i], c->pristine[i], (size_t)t->bytes, err);
            else if (s == RG_OK)
                s = d->to_device(d->self, c->buffers[i], input_of(c, i), (size_t)t->bytes, err);
            break;
        }
    }
    return s;
}

enum rg_status rg__case_outputs(struct rg_runner *r, struct rg_resident *c, uint64_t *hash,
                                const struct rg_known **known, struct rg_error *err)
{
    enum rg_status s = RG_OK;
    *hash = 0;
    *known = NULL;
    for (int i = 0; i < c->layout.n && s == RG_OK; i++) {
        if (c->layout.slots[i].expect < 0) continue;
        uint64_t h = 0;
        s = r->device.hash(r->device.self, c->buffers[i], (size_t)c->layout.slots[i].bytes, &h, err);
        *hash = rg_mix64(*hash ^ h);
    }
    c->outputs = *hash;
    c->has_outputs = s == RG_OK;
    for (int i = 0; i < c->n_known && s == RG_OK; i++)
        if (c->known[i].hash == *hash) *known = &c->known[i];
    return s;
}

void *rg__case_room(struct rg_runner *r, size_t bytes)
{
    if (r->got_bytes >= bytes) return r->got;
    free(r->got);
    r->got = malloc(bytes);
    r->got_bytes = r->got ? bytes : 0;
    return r->got;
}

void rg__case_learn(struct rg_resident *c, uint64_t hash, double max_error, double rms_error)
{
    int at = c->next_known++ % RG_KNOWN;
    c->known[at] = (struct rg_known){hash, max_error, rms_error};
    if (c->n_known < RG_KNOWN) c->n_known++;
}

enum rg_status rg__case_inputs_kept(struct rg_runner *r, struct rg_resident *c, struct rg_fault *fault,
                                    struct rg_error *err)
{
    struct rg_device *d = &r->device;
    for (int i = 0; i < c->layout.n; i++) {
        if (!is_array(r, i) || r->problem->params[i].role != RG_ROLE_IN) continue;
        uint64_t h;
        enum rg_status s = d->hash(d->self, c->buffers[i], (size_t)c->layout.slots[i].bytes, &h, err);
        if (s != RG_OK) return s;
        if (h == c->hashes[i]) continue;
        rg__fault_set(fault, RG_OUTCOME_WRONG, "it changed the input %s", r->problem->params[i].name);
        return d->to_device(d->self, c->buffers[i], input_of(c, i), (size_t)c->layout.slots[i].bytes, err);
    }
    return RG_OK;
}
