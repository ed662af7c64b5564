// What is handed on is read behind what was stored, or of an element that another iteration has. want: sequential
#pragma regraph size(n=6000) size(n=1) size(n=700) input(a: uniform(0, 9))
void shifted_not(int *a, int n)
{
    int last = 0;
    for (int i = 0; i < n; i++) {
        a[i] = (a[i] + 3 * last) % 1000003;
        last = a[i];
    }
}
