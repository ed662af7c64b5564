// What a bound may end need have no zero: such a text is as long as the bound, and where it ends is looked for. want: parallel
#pragma regraph input(t: string(n, 97, 100))
int sum(const char *t, int n)
{
    int count = 0;
    for (int i = 0; i < n && t[i]; i++) count += t[i];
    return count;
}
