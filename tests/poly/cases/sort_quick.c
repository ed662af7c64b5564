// Quick sort as its textbook has it, which calls itself: known by what it does. want: parallel
// chain: parallelize@C
// shows: rg_sort_tile
#pragma regraph size(count=4000) size(count=35)
static void exchange(int *a, int *b)
{
    int t = *a;
    *a = *b;
    *b = t;
}
static int divide(int v[], int low, int high)
{
    int pivot = v[high], i = low - 1;
    for (int j = low; j < high; j++)
        if (v[j] < pivot) exchange(&v[++i], &v[j]);
    exchange(&v[i + 1], &v[high]);
    return i + 1;
}
static void quick(int v[], int low, int high)
{
    if (low >= high) return;
    int at = divide(v, low, high);
    quick(v, low, at - 1);
    quick(v, at + 1, high);
}
void sort_readings(int *readings, int count)
{
    quick(readings, 0, count - 1);
}
