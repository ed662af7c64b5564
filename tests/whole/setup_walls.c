#include <stddef.h>
#include <limits.h>
/* grid puzzle: the map is set once, queries follow */
static const int *wall_data;
static int wall_rows, wall_cols;
static int *best_row, *prev_row;
#include <stdlib.h>
void walls_set(const int *data, int rows, int cols)
{
    wall_data = data;
    wall_rows = rows;
    wall_cols = cols;
    free(best_row); free(prev_row);
    best_row = (int *)malloc((size_t)cols * sizeof(int));
    prev_row = (int *)malloc((size_t)cols * sizeof(int));
}
static inline int min3(int a, int b, int c) { int m = a < b ? a : b; return m < c ? m : c; }
void walls_query(int *out)
{
    for (int c = 0; c < wall_cols; ++c) prev_row[c] = wall_data[c];
    for (int r = 1; r < wall_rows; ++r) {
        const int *row = wall_data + (size_t)r * (size_t)wall_cols;
        for (int c = 0; c < wall_cols; ++c) {
            int left = c > 0 ? prev_row[c - 1] : INT_MAX;
            int right = c + 1 < wall_cols ? prev_row[c + 1] : INT_MAX;
            best_row[c] = row[c] + min3(left, prev_row[c], right);
        }
        for (int c = 0; c < wall_cols; ++c) prev_row[c] = best_row[c];
    }
    for (int c = 0; c < wall_cols; ++c) out[c] = prev_row[c];
}
