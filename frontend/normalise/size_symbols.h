/* Symbols for what the function computes from its sizes. */
#ifndef RG_FRONTEND_SIZE_SYMBOLS_H
#define RG_FRONTEND_SIZE_SYMBOLS_H
#include "frontend/load.h"

/* size_symbols.c: for locals and bounds. */
void rg__derive(struct rg__load *l);
/* For one expression of sizes; NULL: it can't be one. */
struct rg_cnode *rg__derive_symbol(struct rg__load *l, const char *name, struct rg_cnode *value);
/* And for the products n*m that bound loops over these arrays. How many loops end by one now. */
int rg__derive_products(struct rg__load *l, const bool *array);

/* product_loops.c: loops over n*m become nests. */
enum rg_status rg__canon_products(struct rg__load *l);
/* Is it such a product, with sums of parameters among its factors? */
bool rg__product_of_sums(struct rg_ctree *t, const struct rg_cnode *e);
#endif
