// The best of each row, in order, in one array of structures filled anew for each. want: parallel
// chain: parallelize,coalesce
// shows: cand best|cand \*best
#pragma regraph size(rows=3000,cols=40,k=6) size(rows=7,cols=9,k=3)
#include <stdlib.h>
typedef struct {
    float score;
    int at;
} cand;
void best_of_rows(int rows, int cols, int k, const float x[rows][cols], int at[rows][k], float score[rows][k])
{
    cand *best = malloc(sizeof(cand) * (size_t)k);
    for (int r = 0; r < rows; r++) {
        for (int i = 0; i < k; i++) {
            best[i].score = -1e30f;
            best[i].at = -1;
        }
        for (int c = 0; c < cols; c++) {
            int p = k;
            while (p > 0 && best[p - 1].score < x[r][c]) {
                if (p < k) best[p] = best[p - 1];
                p--;
            }
            if (p < k) {
                best[p].score = x[r][c];
                best[p].at = c;
            }
        }
        for (int i = 0; i < k; i++) {
            at[r][i] = best[i].at;
            score[r][i] = best[i].score;
        }
    }
    free(best);
}
