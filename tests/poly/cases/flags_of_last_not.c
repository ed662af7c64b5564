// A flag that stays where it is for some elements hangs on all before. want: sequential
#pragma regraph size(n=6000) size(n=1) size(n=700) input(x: uniform(0, 9))
int flags_of_last_not(const int *x, int n)
{
    int armed = x[0] > 3, shots = 0;
    for (int i = 0; i < n; i++) {
        if (x[i] > 7) {
            if (armed == 1) shots += x[i] * i;
            armed = 0;
        } else if (x[i] < 2 && armed != 2) {
            armed = x[i] == 0 ? 1 : 2;
        }
    }
    return shots;
}
