// No events: the counter may be set to what stops it, steps down, or steps though the event came after the question. want: sequential
#pragma regraph size(n=3000) size(n=1) size(n=300) input(x: uniform(0, 40))
int stops(const int *x, int n, int *seen, int *down, int *late)
{
    int age = 3, left = 40, old = -1, many = 0;
    for (int i = 0; i < n; i++) {
        if (x[i] > 35)
            age = -1;
        else if (age >= 0)
            age++;
        seen[i] = age;
        if (age > 6) many++;
    }
    for (int i = 0; i < n; i++) {
        if (x[i] > 35)
            left = 5;
        else if (left >= 0)
            left--;
        down[i] = left;
        if (left == 0) many++;
    }
    for (int i = 0; i < n; i++) {
        int runs = old >= 0, good = x[i] > 30;
        if (good) old = 0;
        if (runs) old++;
        late[i] = old;
        if (old > 4) many++;
    }
    return many;
}
