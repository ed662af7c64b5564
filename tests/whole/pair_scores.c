/* local alignment scores of many short reads against one reference window each */
#include <string.h>
#include <stdlib.h>
#define READ 64
#define WINDOW 96
#define MATCH 2
#define MISMATCH (-1)
#define GAP (-2)

static int max2(int a, int b) { return a > b ? a : b; }

static int score_one(const char *read, const char *ref)
{
    int row[WINDOW + 1], best = 0;
    memset(row, 0, sizeof row);
    for (int i = 0; i < READ; i++) {
        int diag = 0;
        for (int j = 1; j <= WINDOW; j++) {
            int up = row[j];
            int s = diag + (read[i] == ref[j - 1] ? MATCH : MISMATCH);
            s = max2(s, up + GAP);
            s = max2(s, row[j - 1] + GAP);
            s = max2(s, 0);
            diag = up;
            row[j] = s;
            best = max2(best, s);
        }
    }
    return best;
}

void score_reads(int n, const char *reads, const char *windows, int *scores)
{
    for (int r = 0; r < n; r++) scores[r] = score_one(reads + r * READ, windows + r * WINDOW);
}
