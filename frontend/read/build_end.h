/* Pointer parameters that say where another's array ends. */
#ifndef RG_FRONTEND_BUILD_END_H
#define RG_FRONTEND_BUILD_END_H
#include "frontend/read/build.h"

struct rg__end_of {
    int array;      /* the number of the argument that its array begins at; -1: it is no end */
    unsigned below; /* other ends of that array that it is before, as it seems: bits of arguments, */
    unsigned needs; /* and those that it must not be behind */
};

/* By argument. */
struct rg__end_of *rg__array_ends(struct rg__build *b, const struct rg__function *f);
/* Argument `arg`, which is one: its name, and the size it stands for. */
void rg__bind_end(struct rg__build *b, CXCursor param, int arg);
/* The argument that its array begins at; of any other parameter, itself. */
CXCursor rg__start_of_end(const struct rg__build *b, CXCursor param);
/* Does any say the end of that parameter's array? */
bool rg__has_end(const struct rg__build *b, int param);
#endif
