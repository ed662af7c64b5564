// On fronts the file's variable keeps its name, bounds are max and min, and sums have one constant. want: parallel
// chain: wavefront
// shows: const int j = wave - 
// lacks: \(\(0\) > |- 1 - 1|wave - [^;]*\]
#pragma regraph size(steps=5, n=40) size(steps=3, n=17)
void named_front(int steps, int n, float A[n][n])
{
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++) A[i][j] = 0.25f * (A[i - 1][j] + A[i][j - 1] + A[i][j + 1] + A[i + 1][j]);
}
