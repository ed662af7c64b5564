// Evacuation: how many steps from each cell of a floor plan to the nearest exit.
// Pull form: a free cell looks at its neighbours. '#' wall, 'E' exit, '.' floor.
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>

#define FREE(c) ((c) != '#')
static const int FAR_AWAY = INT_MAX;

int evacuation(int rows, int cols, const char plan[rows][cols], int steps[rows][cols])
{
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < cols; c++)
            steps[r][c] = plan[r][c] == 'E' ? 0 : FAR_AWAY;

    int wave = 0;
    bool moving = true;
    while (moving) {
        moving = false;
        for (int r = 1; r < rows - 1; r++) {
            for (int c = 1; c < cols - 1; c++) {
                if (!FREE(plan[r][c]) || steps[r][c] != FAR_AWAY)
                    continue;
                if (steps[r - 1][c] == wave || steps[r + 1][c] == wave ||
                    steps[r][c - 1] == wave || steps[r][c + 1] == wave) {
                    steps[r][c] = wave + 1;
                    moving = true;
                }
            }
        }
        wave++;
    }
    return wave - 1;
}

int main(void)
{
    enum { R = 64, C = 64 };
    static char plan[R][C];
    static int steps[R][C];
    for (int r = 0; r < R; r++)
        for (int c = 0; c < C; c++)
            plan[r][c] = (r * 7 + c * 13) % 11 == 0 ? '#' : (r == 5 && c == 9) ? 'E' : '.';
    printf("%d waves\n", evacuation(R, C, plan, steps));
}
