// expect: the file defines no function
int x;
