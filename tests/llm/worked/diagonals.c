/* Edit distance with its whole table: what the worked example of the prompts solves. */
#pragma regraph size(n=400, m=300) size(n=37, m=53) size(n=1, m=1)
#pragma regraph extent(a: n) extent(b: m) extent(T: (n + 1) * (m + 1))
#pragma regraph input(a: uniform(0, 3)) input(b: uniform(0, 3))
void edits(int n, int m, const int *a, const int *b, int *T)
{
    int w = m + 1;
    for (int i = 0; i <= n; i++) T[i * w] = i;
    for (int j = 1; j <= m; j++) T[j] = j;
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++) {
            int c = T[(i - 1) * w + j - 1] + (a[i - 1] != b[j - 1]);
            int up = T[(i - 1) * w + j] + 1, left = T[i * w + j - 1] + 1;
            if (up < c) c = up;
            if (left < c) c = left;
            T[i * w + j] = c;
        }
}
