/* Why an action is refused: what kind of reason it is, where, and the sentence. */
#ifndef RG_REFUSAL_H
#define RG_REFUSAL_H
#include <rg/decls.h>
#include <stdbool.h>

RG_BEGIN_DECLS

#define RG_REFUSALS(X)                                                                                                 \
    X(NONE, "none", "nothing is refused")                                                                              \
    X(SITE, "site", "there is no such loop or array, or none at all")                                                  \
    X(ORDER, "order", "another step comes first, or is the one for it")                                                \
    X(ALREADY, "already", "it is done already, or holds as it stands")                                                 \
    X(SHAPE, "shape", "loops, statements or kernels do not have the form that it needs")                               \
    X(DEPENDENCE, "dependence", "iterations or kernels need each other's values in an order that would not hold")      \
    X(BOUNDS, "bounds", "bounds, extents or subscripts are not known, or not of the form that it needs")               \
    X(SPACE, "space", "it needs more room, or more of something, than there is")                                       \
    X(BARRIER, "barrier", "not all threads that a barrier waits for would come to it")                                 \
    X(ANALYSIS, "analysis", "code that can't be analysed, or not within the limit")                                    \
    X(FORM, "form", "it has no form in kernel IR, or the kernel does not hold")                                        \
    X(COST, "cost", "legal, and not worth a try by estimate")

enum rg_refusal_kind {
#define X(name, word, help) RG_REFUSE_##name,
    RG_REFUSALS(X)
#undef X
        RG_N_REFUSALS
};
const char *rg_refusal_word(enum rg_refusal_kind k); /* "dependence" */

struct rg_reason {
    enum rg_refusal_kind kind;
    int line; /* of the problem's file; 0: of no line alone */
    char text[512];
};

/* Sets it; false, so that a refusal is one statement. `why` may be its own argument's text. */
bool rg_refuse(struct rg_reason *why, enum rg_refusal_kind kind, int line, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
RG_END_DECLS
#endif
