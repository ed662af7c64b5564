/* Who buys what: a shop's links from customers to wares. Room is made for as many as there may be; how many there are
 * is counted while they are made up, and kept in the same place. */
#include <stdio.h>
#include <stdlib.h>

struct shop {
    int customers, links;
    int *first; /* customers + 1 */
    int *ware;  /* links */
    double *price, *spent;
};

static struct shop shop;

void open_shop(int customers, int most)
{
    int found = 0;
    shop.customers = customers;
    shop.links = customers * most + most;
    shop.first = malloc((customers + 1) * sizeof(int));
    shop.ware = malloc(shop.links * sizeof(int));
    shop.price = malloc(customers * sizeof(double));
    shop.spent = malloc(customers * sizeof(double));
    for (int c = 0; c < customers; c++) {
        shop.first[c] = found;
        for (int k = 0; k < most; k++)
            if ((c * 31 + k * 17) % 5 < 2) shop.ware[found++] = (c * 7 + k * 13) % customers;
        shop.price[c] = 1.0 + c % 9;
        shop.spent[c] = 0;
    }
    shop.first[customers] = found;
    shop.links = found;
}

void bill(void)
{
    for (int c = 0; c < shop.customers; c++) {
        double sum = 0;
        for (int e = shop.first[c]; e < shop.first[c + 1]; e++) sum += shop.price[shop.ware[e]];
        shop.spent[c] = sum;
    }
}

int main(void)
{
    double all = 0;
    open_shop(900, 8);
    bill();
    for (int c = 0; c < 900; c++) all += shop.spent[c] * (c % 3);
    printf("%d links, %.3f\n", shop.links, all);
    free(shop.first), free(shop.ware), free(shop.price), free(shop.spent);
    return 0;
}
