#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct { long row, col; bool there; } Spot;

/* Row by row, the first cell that is blocked on both layers. */
Spot first_blocked(size_t rows, size_t cols, const float ground[rows][cols], const float roof[rows][cols], float limit)
{
    Spot spot = { -1, -1, false };
    bool found = false;
    for (size_t r = 0; r < rows && !found; r++)
    {
        for (size_t c = 0; c < cols && !found; c++)
        {
            if (ground[r][c] > limit && roof[r][c] < -limit)
            {
                found = true;
                spot.row = (long) r;
                spot.col = (long) c;
            }
        }
    }
    spot.there = found;
    return spot;
}

void survey(size_t rows, size_t cols, const float ground[rows][cols], const float roof[rows][cols], long answer[4])
{
    Spot s = first_blocked(rows, cols, ground, roof, 0.995f);
    answer[0] = s.row;
    answer[1] = s.col;
    answer[2] = s.there;

    bool monotone = true;
    for (size_t r = 0; monotone && r + 1 < rows; r++)
        if (ground[r][0] > ground[r + 1][0] + 1.9f) monotone = false;
    answer[3] = monotone;
}

int main(void)
{
    static float g[8][8], f[8][8];
    long a[4];
    g[3][4] = 1;
    f[3][4] = -1;
    survey(8, 8, g, f, a);
    printf("%ld %ld %ld %ld\n", a[0], a[1], a[2], a[3]);
    return 0;
}
