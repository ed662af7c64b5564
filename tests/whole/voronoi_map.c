#include <stdio.h>
#include <stdlib.h>
#include <limits.h>

/* which site is nearest to each pixel - my graphics homework */
struct Site { int x, y; };
struct Map
{
    int width, height;
    int sites;
    struct Site *site;
    int *owner;
};

int distance2(struct Site a, int x, int y)
{
    int dx = a.x - x;
    int dy = a.y - y;
    return dx*dx + dy*dy;
}

void fillMap(struct Map *map)
{
    int x, y, s;
    for(y = 0; y < map->height; y++)
    {
        for(x = 0; x < map->width; x++)
        {
            int best = INT_MAX;
            int who = -1;
            for(s = 0; s < map->sites; s++)
            {
                int d = distance2(map->site[s], x, y);
                if(d < best)
                {
                    best = d;
                    who = s;
                }
            }
            map->owner[y * map->width + x] = who;
        }
    }
}

int main()
{
    struct Map m;
    int i;
    m.width = 320;
    m.height = 240;
    m.sites = 40;
    m.site = (struct Site*)malloc(sizeof(struct Site) * m.sites);
    m.owner = (int*)malloc(sizeof(int) * m.width * m.height);
    for(i = 0; i < m.sites; i++)
    {
        m.site[i].x = rand() % m.width;
        m.site[i].y = rand() % m.height;
    }
    fillMap(&m);
    printf("%d\n", m.owner[0]);
    return 0;
}
