#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROWS 128
#define COLS 128
#define ALIVE '#'
#define DEAD '.'

static char grid[ROWS][COLS];
static char next[ROWS][COLS];

static int count_neighbours(int r, int c)
{
    int n = 0;
    for (int i = r - 1; i <= r + 1; i++)
        for (int j = c - 1; j <= c + 1; j++) {
            if (i < 0 || j < 0 || i >= ROWS || j >= COLS || (i == r && j == c)) continue;
            if (grid[i][j] == ALIVE) n++;
        }
    return n;
}

int evolve(int generations)
{
    for (int g = 0; g < generations; g++) {
        for (int r = 0; r < ROWS; r++)
            for (int c = 0; c < COLS; c++) {
                int n = count_neighbours(r, c);
                if (grid[r][c] == ALIVE)
                    next[r][c] = (n == 2 || n == 3) ? ALIVE : DEAD;
                else
                    next[r][c] = n == 3 ? ALIVE : DEAD;
            }
        memcpy(grid, next, sizeof grid);
    }
    int alive = 0;
    for (int r = 0; r < ROWS; r++)
        for (int c = 0; c < COLS; c++)
            if (grid[r][c] == ALIVE) alive++;
    return alive;
}

int main(void)
{
    for (int r = 0; r < ROWS; r++)
        for (int c = 0; c < COLS; c++) grid[r][c] = rand() % 3 == 0 ? ALIVE : DEAD;
    printf("%d alive\n", evolve(50));
    return 0;
}
