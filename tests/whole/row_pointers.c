/* Memory for rows whose length only parameters know, in the ways it is asked for, and a helper that is given a
 * neighbour or nothing. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Pool {
    float level, salt;
} Pool;

static float larger(float a, float b)
{
    if (a > b) return a;
    return b;
}

/* What comes over the weir from a neighbour; none where the wall is. */
static float inflow(const Pool *from, const Pool *to, float share)
{
    if (!from) return 0.0f;
    return share * larger(from->level - to->level, 0.0f);
}

static void spread(int rows, int cols, Pool (*now)[cols], Pool (*next)[cols], const float (*share)[cols])
{
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < cols; c++) {
            const Pool *here = &now[r][c];
            Pool p = *here;
            p.level += inflow(r > 0 ? &now[r - 1][c] : NULL, here, share[r][c]);
            p.level += inflow(c + 1 < cols ? &now[r][c + 1] : NULL, here, share[r][c]);
            p.salt = p.salt / (1.0f + p.level);
            next[r][c] = p;
        }
}

static void weights(int rows, int cols, const float bed[rows][cols], float out[rows][cols])
{
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < cols; c++) out[r][c] = 0.1f + 0.2f * bed[r][c];
}

/* The highest level, or NAN without memory. */
float settle_pools(int rows, int cols, int rounds, const float bed[rows][cols], Pool pools[rows][cols])
{
    Pool(*next)[cols] = malloc(sizeof(Pool) * rows * cols);
    float(*share)[cols] = malloc(sizeof(float[rows][cols]));
    double(*seen)[cols] = calloc(rows, sizeof *seen);
    float highest = NAN;

    if (next && share && seen) {
        weights(rows, cols, bed, share);
        highest = 0.0f;
        for (int i = 0; i < rounds; i++) {
            spread(rows, cols, pools, next, (const float(*)[cols])share);
            memcpy(pools, next, sizeof(Pool) * rows * cols);
            for (int r = 0; r < rows; r++)
                for (int c = 0; c < cols; c++) seen[r][c] += pools[r][c].level;
        }
        for (int r = 0; r < rows; r++)
            for (int c = 0; c < cols; c++) {
                highest = larger(highest, pools[r][c].level);
                pools[r][c].salt += (float)seen[r][c];
            }
    }
    free(seen);
    free(share);
    free(next);
    return highest;
}
