/* Sizes at which sweeps over points of two colours wrap around. */
#ifndef RG_FRONTEND_EVEN_SIZES_H
#define RG_FRONTEND_EVEN_SIZES_H
#include "frontend/load.h"

/* Adds what makes such sweeps parallel to the problem's conditions, where it holds at all sizes that the user gave. */
enum rg_status rg__even_sizes(struct rg__load *l);
#endif
