/* The version of ReGraph: of its programs, libregraph, pkg-config file and packages. */
#ifndef RG_VERSION_H
#define RG_VERSION_H
#define RG_VERSION "0.1"
#endif
