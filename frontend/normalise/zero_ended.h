/* Strings that loops go along to their zero. */
#ifndef RG_FRONTEND_ZERO_ENDED_H
#define RG_FRONTEND_ZERO_ENDED_H
#include "frontend/load.h"

/* On the tree as it was read, before sizes are chosen. */
void rg__zero_ended(struct rg__load *l);
#endif
