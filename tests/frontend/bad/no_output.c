// expect: 'lost' has no output
// size: n=4
void lost(int n, const float x[n])
{
    float s = 0;
    for (int i = 0; i < n; i++) s += x[i];
    (void)s;
}
