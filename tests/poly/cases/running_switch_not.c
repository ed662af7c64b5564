// What a switch does to one value depends on another that depends on that one. want: sequential
int running_switch_not(const int *x, int n, int *at)
{
    int d = 1, e = 2;
    for (int k = 0; k < n; k++) {
        at[k] = d;
        switch (x[k] & 3) {
        case 1:
            d = e > 3 ? d + 1 : d * d % 7;
            break;
        case 2:
            e = d & 1 ? e - 1 : e + d;
            break;
        default:
            break;
        }
    }
    return d + e;
}
