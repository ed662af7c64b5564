// Two buffers in the file, of which a variable there says the current one, told in several ways. want: parallel
// chain: parallelize@C
// lacks: wave
#define ROWS 40
#define COLS 50
static double field[2][ROWS][COLS];
static int active;

static double mean(double a, double b, double c, double d)
{
    return 0.25 * (a + b + c + d);
}

#pragma regraph size(steps=5) size(steps=2)
void current_buffer(int steps, double shown[ROWS][COLS])
{
    for (int s = 0; s < steps; s++) {
        int other = 1 - active;
        for (int i = 0; i < ROWS; i++)
            for (int j = 0; j < COLS; j++) {
                if (i == 0 || j == 0 || i == ROWS - 1 || j == COLS - 1)
                    field[other][i][j] = field[active][i][j];
                else
                    field[other][i][j] = mean(field[active][i - 1][j], field[active][i + 1][j], field[active][i][j - 1], field[active][i][j + 1]);
            }
        active ^= 1;
    }
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLS; j++)
            shown[i][j] = field[active][i][j] - field[!active][i][j];
}
