/* C linkage for callers in C++: around the declarations of every header here. */
#ifndef RG_DECLS_H
#define RG_DECLS_H
#ifdef __cplusplus
#define RG_BEGIN_DECLS extern "C" {
#define RG_END_DECLS }
#else
#define RG_BEGIN_DECLS
#define RG_END_DECLS
#endif
#endif
