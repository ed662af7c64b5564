/* regraph-verify in parts: what was found, line by line, and its two forms on stdout. */
#ifndef RG_CMD_VERIFY_H
#define RG_CMD_VERIFY_H
#include "cmd/common.h"
#include <rg/certificate.h>

enum finding_level {
    FINDING_OK,      /* as certified */
    FINDING_NOTE,    /* other than certified, as it may be */
    FINDING_WARNING, /* other than it should be, but no proof of anything */
    FINDING_DIFFERS  /* it must not: the certificate does not hold */
};

struct finding {
    enum finding_level level;
    const char *what; /* "outputs"; a literal */
    char text[600];
};

struct findings {
    int n, cap;
    struct finding *items;
};
void finding_add(struct findings *f, enum finding_level level, const char *what, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
const char *finding_word(enum finding_level level);
bool findings_hold(const struct findings *f);

/* verify_check.c */
/* Hashes inside the certificate, and the files beside it; dir: where it lies. */
void verify_integrity(const struct rg_certificate *c, const struct rg_problem *p, const char *dir, struct findings *f);
/* The farm's inputs, and its verdict over the kernel. e: of this machine. */
void verify_machine(const struct rg_certificate *c, const struct rg_problem *p, const struct rg_farm_info *i,
                    struct findings *f);
enum rg_status verify_cases(const struct rg_certificate *c, struct rg_farm *farm, const struct rg_source *src,
                            struct findings *f, struct rg_error *err);
void verify_evaluation(const struct rg_certificate *c, const struct rg_farm_info *i, const struct rg_evaluation *e,
                       struct findings *f);

/* verify_json.c: the document "regraph-verify/1" (docs/certificate.md). e NULL: it was not evaluated. */
void verify_print_json(const char *path, const struct rg_certificate *c, const struct rg_farm_info *i,
                       const struct rg_evaluation *e, const struct findings *f);
#endif
