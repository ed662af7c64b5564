// What is carried on behind the exit decides, in the next iteration, whether that leaves. want: sequential
#pragma regraph size(n=3000) size(n=70) size(n=1) input(start: uniform(0, 1)) input(rate: uniform(0, 1))
int search_state_not(int n, const double start[n], const double rate[n], double row[n])
{
    double b = 1.0, top = 0.0;
    for (int l = 0; l < n; l++) {
        if (b * start[l] > 3.9) return l + 1;
        if (rate[l] > 0.5) top = b * rate[l];
        b = b * b * rate[l] + start[l] - top * 0.25;
        row[l] = b;
    }
    return 0;
}
