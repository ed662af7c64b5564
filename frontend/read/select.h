/* The function that is meant, and the directives that are its own. */
#ifndef RG_FRONTEND_SELECT_H
#define RG_FRONTEND_SELECT_H
#include "frontend/load.h"

/* select.c: the function meant, and which directives are its own (others are dropped). */
enum rg_status rg__select(struct rg__load *l);
#endif
