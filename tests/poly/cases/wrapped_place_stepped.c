// What is stepped behind the counter sees it one further on. want: parallel
#pragma regraph size(n=300) size(n=17) size(n=2)
void stepped(int n, const int *v, int *out)
{
    int i, j;
    for (i = 0, j = 0; i < n - 1; i++, j = i) out[i] = v[j] * 3 - v[i + 1];
}
