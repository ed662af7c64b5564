/* Constant tables that pointers lead into: a row of scores, the nearest of some bodies. Scratch that each item fills. */
#include <stdlib.h>

struct body {
    double x, y, mass;
};

static const signed char score[4][4] = {
    {3, -2, -1, -2},
    {-2, 3, -2, -1},
    {-1, -2, 3, -2},
    {-2, -1, -2, 3},
};
static const struct body bodies[] = {{0.1, 0.7, 1.5}, {0.8, 0.2, 0.5}, {0.4, 0.4, 2.0}};

int score_tables(int n, int width, const unsigned char *read, const unsigned char *window, int *best, double *pull)
{
    int *row = malloc((width + 1) * sizeof *row);

    if (!row) return -1;
    for (int p = 0; p < n; p++) {
        int top = 0;

        for (int j = 0; j <= width; j++) row[j] = 0;
        for (int i = 0; i < width; i++) {
            const signed char *of = score[read[p * width + i] & 3];
            int diagonal = row[0];

            for (int j = 1; j <= width; j++) {
                int cell = diagonal + of[window[p * width + j - 1] & 3], up = row[j] - 4, left = row[j - 1] - 4;

                if (up > cell) cell = up;
                if (left > cell) cell = left;
                if (cell < 0) cell = 0;
                diagonal = row[j];
                row[j] = cell;
                if (cell > top) top = cell;
            }
        }
        best[p] = top;

        const struct body *near = NULL;
        double least = 1e30, x = (p % 97) / 97.0, y = (p % 89) / 89.0;
        for (size_t k = 0; k < sizeof bodies / sizeof *bodies; k++) {
            double d = (bodies[k].x - x) * (bodies[k].x - x) + (bodies[k].y - y) * (bodies[k].y - y);
            if (d < least) {
                least = d;
                near = &bodies[k];
            }
        }
        pull[p] = near ? near->mass / (least + 0.01) : 0;
    }
    free(row);
    return 0;
}
