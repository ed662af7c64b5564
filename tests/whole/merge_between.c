/* Mergesort as the function itself, between two places, whose merge copies both halves to arrays of their lengths. */
#include <stdio.h>

static void merge(long a[], int left, int mid, int right)
{
    int n1 = mid - left + 1, n2 = right - mid;
    long low[n1], high[n2];
    for (int i = 0; i < n1; i++) low[i] = a[left + i];
    for (int j = 0; j < n2; j++) high[j] = a[mid + 1 + j];
    int i = 0, j = 0, k = left;
    while (i < n1 && j < n2) {
        if (low[i] <= high[j])
            a[k++] = low[i++];
        else
            a[k++] = high[j++];
    }
    while (i < n1) a[k++] = low[i++];
    while (j < n2) a[k++] = high[j++];
}

void mergeSort(long a[], int left, int right)
{
    if (left >= right) return;
    int mid = left + (right - left) / 2;
    mergeSort(a, left, mid);
    mergeSort(a, mid + 1, right);
    merge(a, left, mid, right);
}

int main(void)
{
    long a[] = { 12, 11, 13, 5, 6, 7 };
    mergeSort(a, 0, 5);
    for (int i = 0; i < 6; i++) printf("%ld ", a[i]);
    return 0;
}
