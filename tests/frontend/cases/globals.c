#define N 64
static float A[N][N];
float B[N], total;
static const int taps[3] = {1, 2, 1};
static const float scale = 0.25f;
enum { LEFT = -1, RIGHT = 1 };
void smooth(void)
{
    total = 0;
    for (int i = 0; i < N; i++) {
        float row = 0;
        for (int j = 1; j < N - 1; j++)
            row += scale * (taps[0] * A[i][j + LEFT] + taps[1] * A[i][j] + taps[2] * A[i][j + RIGHT]);
        B[i] = row;
        total += row;
    }
}
// explain: total            out    float[1] file-scope variable
// not: opaque parts
