/* solutions of many sudoku-like boards by backtracking with an explicit stack */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIDE 4
#define CELLS (SIDE * SIDE)

static int allowed(const uint8_t *board, int cell, int digit)
{
    int row = cell / SIDE, col = cell % SIDE;
    for (int k = 0; k < SIDE; k++) {
        if (board[row * SIDE + k] == digit) return 0;
        if (board[k * SIDE + col] == digit) return 0;
    }
    int br = row / 2 * 2, bc = col / 2 * 2;
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            if (board[(br + i) * SIDE + bc + j] == digit) return 0;
    return 1;
}

static int solve(uint8_t *board)
{
    int empty[CELLS], n = 0, solutions = 0;
    for (int i = 0; i < CELLS; i++)
        if (board[i] == 0) empty[n++] = i;
    int depth = 0;
    while (depth >= 0) {
        if (depth == n) {
            solutions++;
            depth--;
            continue;
        }
        int cell = empty[depth], digit = board[cell] + 1;
        board[cell] = 0;
        while (digit <= SIDE && !allowed(board, cell, digit)) digit++;
        if (digit <= SIDE) {
            board[cell] = digit;
            depth++;
        } else
            depth--;
    }
    return solutions;
}

void count_solutions(const uint8_t *boards, int *counts, int n)
{
    for (int b = 0; b < n; b++) {
        uint8_t work[CELLS];
        memcpy(work, boards + b * CELLS, CELLS);
        for (int i = 0; i < CELLS; i++)
            if (work[i] > SIDE) work[i] = 0;
        counts[b] = solve(work);
    }
}

int main(void)
{
    uint8_t b[2 * CELLS] = { 1, 0, 0, 0, 0, 0, 3, 0 };
    int c[2];
    count_solutions(b, c, 2);
    printf("%d %d\n", c[0], c[1]);
    return 0;
}
