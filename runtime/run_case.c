/* Cases on the device: inputs are uploaded once and stay; what a candidate may write is restored before every run. */
#include "runtime/runner.h"
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

enum rg_status rg__settle(struct rg_runner *r, enum rg_status s, struct rg_fault *fault, struct rg_error *err)
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

static enum rg_status bring_up(struct rg_runner *r, struct rg_resident *c, struct rg_error *err)
{
    struct rg_device *d = &r->device;
    enum rg_status s = c->data.base ? RG_OK : rg__shm_map(r->shm, c->c.at, c->c.timed, &c->data, err); /* the timed case takes the anchor */
    if (s != RG_OK) return s;
    if (c->layout.bytes > c->c.at.len) return rg_error_set(err, RG_BUG, "a case's range is too short");
    c->up = true;
    double start = rg_now();
    for (int i = 0; i < c->layout.n && s == RG_OK; i++) {
        const struct rg_slot *t = &c->layout.slots[i];
        if (!is_array(r, i)) continue;
        s = d->alloc(d->self, (size_t)t->bytes, r->problem->params[i].name, &c->buffers[i], err);
        if (s != RG_OK || t->input < 0) continue;
        s = d->to_device(d->self, c->buffers[i], (char *)c->data.data + t->input, (size_t)t->bytes, err);
        if (s == RG_OK && r->problem->params[i].role == RG_ROLE_IN)
            s = d->hash(d->self, c->buffers[i], (size_t)t->bytes, &c->hashes[i], err);
        if (s == RG_OK && r->problem->params[i].role == RG_ROLE_INOUT && !d->simulated) {
            s = d->alloc(d->self, (size_t)t->bytes, "a pristine copy", &c->pristine[i], err);
            if (s == RG_OK) s = d->copy(d->self, c->pristine[i], c->buffers[i], (size_t)t->bytes, err);
        }
    }
    if (s == RG_OK && c->c.timed && !d->simulated) r->transfer_in_us = (rg_now() - start) * 1e6;
    if (s != RG_OK) rg__case_down(r, c);
    return s;
}

enum rg_status rg__case_up(struct rg_runner *r, struct rg_resident *c, struct rg_error *err)
{
    if (c->up) return RG_OK;
    struct rg_error e = RG_ERROR_INIT;
    enum rg_status s = bring_up(r, c, &e);
    if (s == RG_OK) return s;
    if (s == RG_LIMIT || s == RG_NOMEM) { /* a small device: the other cases make room */
        for (int i = 0; i < r->n_cases; i++)
            if (&r->cases[i] != c) rg__case_down(r, &r->cases[i]);
        rg_error_clear(&e);
        s = bring_up(r, c, &e);
        if (s == RG_OK) return s;
    }
    return rg_error_set(err, s, "%s", e.text);
}

void rg__case_down(struct rg_runner *r, struct rg_resident *c)
{
    for (int i = 0; i < c->layout.n; i++) {
        if (c->buffers[i]) r->device.release(r->device.self, c->buffers[i]);
        if (c->pristine[i]) r->device.release(r->device.self, c->pristine[i]);
        c->buffers[i] = c->pristine[i] = 0;
    }
    rg__shm_unmap(&c->data);
    c->up = false;
}

/* A real device lets an earlier candidate's stray write through: inputs are looked at before they are trusted. */
static enum rg_status refresh(struct rg_runner *r, struct rg_resident *c, int i, struct rg_error *err)
{
    struct rg_device *d = &r->device;
    if (d->simulated || c->c.timed) return RG_OK;
    size_t bytes = (size_t)c->layout.slots[i].bytes;
    uint64_t h;
    enum rg_status s = d->hash(d->self, c->buffers[i], bytes, &h, err);
    if (s != RG_OK || h == c->hashes[i]) return s;
    return d->to_device(d->self, c->buffers[i], (char *)c->data.data + c->layout.slots[i].input, bytes, err);
}

enum rg_status rg__case_restore(struct rg_runner *r, struct rg_resident *c, struct rg_error *err)
{
    struct rg_device *d = &r->device;
    enum rg_status s = RG_OK;
    for (int i = 0; i < c->layout.n && s == RG_OK; i++) {
        const struct rg_slot *t = &c->layout.slots[i];
        if (!is_array(r, i)) continue;
        switch (r->problem->params[i].role) {
        case RG_ROLE_IN: s = refresh(r, c, i, err); break;
        case RG_ROLE_OUT: s = d->fill(d->self, c->buffers[i], (size_t)t->bytes, 1, RG_POISON, err); break;
        case RG_ROLE_INOUT:
            if (c->pristine[i]) s = d->copy(d->self, c->buffers[i], c->pristine[i], (size_t)t->bytes, err);
            else s = d->to_device(d->self, c->buffers[i], (char *)c->data.data + t->input, (size_t)t->bytes, err);
            break;
        }
    }
    return s;
}

enum rg_status rg__case_outputs(struct rg_runner *r, const struct rg_resident *c, uint64_t *hash, const struct rg_known **known,
                                struct rg_error *err)
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
        return d->to_device(d->self, c->buffers[i], (char *)c->data.data + c->layout.slots[i].input,
                            (size_t)c->layout.slots[i].bytes, err);
    }
    return RG_OK;
}
