/* What regraph-verify compares. */
#include "cmd/verify.h"
#include <math.h>
#include <rg/file.h>
#include <rg/hash.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static const double same_time = 0.10; /* on the same kind of device: beyond, a warning */

void finding_add(struct findings *f, enum finding_level level, const char *what, const char *fmt, ...)
{
    RG_GROW(f->items, f->n, f->cap);
    struct finding *x = &f->items[f->n++];
    x->level = level;
    x->what = what;
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(x->text, sizeof x->text, fmt, ap);
    va_end(ap);
}

const char *finding_word(enum finding_level level)
{
    static const char *const words[] = {"ok", "note", "warning", "differs"};
    return words[level];
}

bool findings_hold(const struct findings *f)
{
    for (int i = 0; i < f->n; i++)
        if (f->items[i].level == FINDING_DIFFERS) return false;
    return true;
}

/* --- integrity --- */

static void hash_line(struct findings *f, const char *what, const char *certified, const char *found)
{
    if (!strcmp(certified, found))
        finding_add(f, FINDING_OK, what, "sha256 %.16s...", found);
    else
        finding_add(f, FINDING_DIFFERS, what, "it was changed: its sha256 is %s, the certificate says %s", found,
                    certified);
}

static void file_line(const char *dir, const struct rg_certified_file *file, struct findings *f)
{
    char *path = rg_xasprintf("%s/%s", dir, file->name), *text, sha[65];
    size_t len;
    struct rg_error none = RG_ERROR_INIT;
    if (!rg_file_exists(path)) {
        finding_add(f, FINDING_NOTE, "file", "%s is not beside the certificate", file->name);
    } else if (rg_file_read(path, 0, &text, &len, &none) != RG_OK) {
        finding_add(f, FINDING_WARNING, "file", "%s: %s", file->name, none.text);
    } else {
        rg_sha256_hex(text, len, sha);
        if (!strcmp(sha, file->sha256))
            finding_add(f, FINDING_OK, "file", "%s", file->name);
        else
            finding_add(f, FINDING_DIFFERS, "file", "%s was changed: what is certified is another text", file->name);
        free(text);
    }
    free(path);
}

void verify_integrity(const struct rg_certificate *c, const struct rg_problem *p, const char *dir, struct findings *f)
{
    char sha[65];
    hash_line(f, "problem", c->problem_hash, p->hash);
    rg_certificate_kernel_sha256(c->cuda, c->plan, sha);
    hash_line(f, "kernel", c->kernel_sha256, sha);
    if (strcmp(c->function, p->function))
        finding_add(f, FINDING_DIFFERS, "function", "the problem is of %s, the certificate of %s", p->function,
                    c->function);
    if (c->trivial)
        finding_add(f, FINDING_NOTE, "marks", "constants or copies were accepted as outputs (--allow-trivial)");
    if (p->assumed) finding_add(f, FINDING_NOTE, "marks", "assumed by the user, not proven: %s", p->assumed);
    if (c->suspect)
        finding_add(f, FINDING_NOTE, "marks",
                    "it was faster than the device's memory delivers the inputs, and verified once more for that");
    if (c->unchecked)
        finding_add(f, FINDING_NOTE, "marks",
                    "nobody looked for races and stray accesses: too large for the simulated device, or more than it "
                    "can, and no compute-sanitizer");
    for (int i = 0; i < c->n_files; i++) file_line(dir, &c->files[i], f);
}

/* --- the machine --- */

/* Without the number of the GPU. */
static const char *kind_of(const char *device)
{
    const char *blank = strncmp(device, "cuda:", 5) ? NULL : strchr(device, ' ');
    return blank ? blank + 1 : device;
}

static bool same_device(const struct rg_certificate *c, const struct rg_farm_info *i)
{
    return !strcmp(kind_of(c->device), kind_of(i->device));
}

static void text_line(struct findings *f, const char *what, const char *certified, const char *here)
{
    if (!certified[0] && !here[0]) return;
    if (!strcmp(certified, here))
        finding_add(f, FINDING_OK, what, "%s", here);
    else
        finding_add(f, FINDING_NOTE, what, "%s here, %s in the certificate", here[0] ? here : "none",
                    certified[0] ? certified : "none");
}

void verify_machine(const struct rg_certificate *c, const struct rg_problem *p, const struct rg_farm_info *i,
                    struct findings *f)
{
    text_line(f, "version", c->regraph, rg_cmd_version());
    text_line(f, "device", kind_of(c->device), kind_of(i->device));
    text_line(f, "arch", c->arch, i->arch);
    text_line(f, "driver", c->driver, i->driver);
    text_line(f, "compiler", c->nvrtc, i->nvrtc);
    text_line(f, "closed", c->sandbox, i->sandbox);
    char here[600];
    rg_cmd_processor(here, sizeof here);
    text_line(f, "processor", c->host_cpu, here);
    rg_cmd_compiler(p->cflags, here, sizeof here);
    text_line(f, "C compiler", c->host_cc, here);
    if (strcmp(i->reference_sandbox, "files and calls"))
        finding_add(f, FINDING_WARNING, "closed",
                    "the certificate's C ran with %s closed to it: this kernel has no Landlock or no seccomp",
                    i->reference_sandbox[0] ? i->reference_sandbox : "nothing");
}

/* --- inputs, references, outputs --- */

static const struct rg_case_evidence *same_case(const struct rg_case_evidence *e, int n,
                                                const struct rg_case_evidence *like)
{
    for (int i = 0; i < n; i++)
        if (e[i].size == like->size && e[i].seed == like->seed && e[i].timed == like->timed) return &e[i];
    return NULL;
}

static void count_line(struct findings *f, const char *what, int same, int other, const char *why)
{
    if (same + other == 0) return;
    if (!other)
        finding_add(f, FINDING_OK, what, "the same bytes in %d of %d cases", same, same + other);
    else
        finding_add(f, FINDING_NOTE, what, "the same bytes in %d of %d cases; %s", same, same + other, why);
}

enum rg_status verify_cases(const struct rg_certificate *c, struct rg_farm *farm, const struct rg_source *src,
                            struct findings *f, struct rg_error *err)
{
    struct rg_case_evidence *here = NULL;
    int n, same[3] = {0, 0, 0}, other[3] = {0, 0, 0}, missing = 0;
    enum rg_status st = rg_farm_evidence(farm, src, &here, &n, err);
    for (int i = 0; st == RG_OK && i < c->n_cases; i++) {
        const struct rg_case_evidence *was = &c->cases[i], *is = same_case(here, n, was);
        missing += !is;
        if (!is) continue;
        const char *const a[] = {was->inputs, was->reference, was->outputs}, *const b[] = {is->inputs, is->reference,
                                                                                           is->outputs};
        for (int k = 0; k < 3; k++)
            if (a[k][0] && b[k][0]) ++*(strcmp(a[k], b[k]) ? &other[k] : &same[k]);
    }
    free(here);
    if (st != RG_OK) return st;
    count_line(f, "inputs", same[0], other[0],
               "another version or another C library makes other values of the same distributions");
    count_line(f, "reference", same[1], other[1], "another C compiler or processor rounds otherwise");
    count_line(f, "bits", same[2], other[2],
               c->varies ? "its sums are added in any order" : "another device, compiler or input rounds otherwise");
    if (missing)
        finding_add(f, FINDING_NOTE, "cases", "%d of the certificate's %d are not run on this device", missing,
                    c->n_cases);
    return RG_OK;
}

/* --- the verdict --- */

static void error_line(struct findings *f, const char *what, double was, double is)
{
    if (!isfinite(is)) return;
    if (!isfinite(was))
        finding_add(f, FINDING_NOTE, what, "%.3g here, none in the certificate", is);
    else if (is <= was * 1.01 + 1e-300)
        finding_add(f, FINDING_OK, what, "%.3g here, %.3g in the certificate", is, was);
    else
        finding_add(f, FINDING_NOTE, what, "%.3g here, %.3g in the certificate; within the tolerance", is, was);
}

static void time_line(struct findings *f, const char *what, double was_ms, double was_noise, double is_ms,
                      double is_noise, bool comparable)
{
    if (!(is_ms > 0)) return;
    if (!(was_ms > 0)) {
        finding_add(f, FINDING_NOTE, what, "%.4g ms here, unknown in the certificate", is_ms);
        return;
    }
    double off = is_ms / was_ms - 1;
    bool within = fabs(is_ms - was_ms) <= (isfinite(was_noise) ? was_noise : 0) + is_noise + 1e-9 * was_ms;
    finding_add(f,
                !comparable        ? FINDING_NOTE
                : off > same_time  ? FINDING_WARNING
                : off < -same_time ? FINDING_NOTE
                                   : FINDING_OK,
                what, "%.4g ms here, %.4g ms in the certificate: %s%+.1f %%", is_ms, was_ms,
                within ? "within the intervals, " : "", 100 * off);
}

void verify_evaluation(const struct rg_certificate *c, const struct rg_farm_info *i, const struct rg_evaluation *e,
                       struct findings *f)
{
    if (e->outcome != RG_OUTCOME_OK) {
        finding_add(f, FINDING_DIFFERS, "outputs", "%s: %s", rg_outcome_word(e->outcome), e->message);
        return;
    }
    finding_add(f, FINDING_OK, "outputs", "verified, and timed%s",
                e->estimated ? " by the model of a simulated device" : "");
    error_line(f, "max error", c->max_error, e->max_error);
    error_line(f, "rms error", c->rms_error, e->rms_error);
    if (rg_evaluation_counter(e, "varies") > 0)
        finding_add(f, c->varies ? FINDING_OK : FINDING_NOTE, "marks",
                    "its outputs differ from run to run, within the tolerance");
    bool same = same_device(c, i) && c->estimated == e->estimated;
    time_line(f, "kernel", c->kernel_ms, c->kernel_noise_ms, e->time_us * 1e-3, e->noise_us * 1e-3, same);
    if (e->total_us > 0 && c->total_ms > 0) time_line(f, "end to end", c->total_ms, NAN, e->total_us * 1e-3, 0, false);
    if (!(i->sequential_ms > 0)) return;
    if (!(c->sequential_ms > 0) ||
        (!strcmp(c->sequential_how, "measured") && i->sequential_how == RG_SEQUENTIAL_MEASURED))
        time_line(f, "sequential", c->sequential_ms, NAN, i->sequential_ms, 0, false);
    else
        finding_add(f, FINDING_NOTE, "sequential", "%.4g ms here (%s), %.4g ms in the certificate (%s)",
                    i->sequential_ms, rg_sequential_word(i->sequential_how), c->sequential_ms,
                    c->sequential_how[0] ? c->sequential_how : "unknown");
}
