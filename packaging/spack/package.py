# The repository's folder is made by `spack repo create DIR` and this file put into DIR/packages/regraph/; then
# `spack install regraph` (docs/install.md). Until a release has an address the source is the tree this file came from:
# `spack develop --path TREE regraph@main`.
from spack.package import *

try:  # from Spack 1.0 on build systems stand with the builtin packages
    from spack_repo.builtin.build_systems.makefile import MakefilePackage
except ImportError:
    pass


class Regraph(MakefilePackage):
    """Sequential C functions to verified CUDA kernels, by search over a reasoning graph."""

    license("GPL-2.0-or-later")

    version("main")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("jansson")
    depends_on("pcre2")
    depends_on("curl")
    depends_on("igraph@0.10:")
    depends_on("isl@0.23:")
    depends_on("gmp")
    depends_on("openssl")
    depends_on("zlib-api")
    depends_on("libseccomp")
    depends_on("libmicrohttpd")
    depends_on("tomlplusplus")
    depends_on("llvm@14: +clang")
    depends_on("cuda@12.4:")

    def setup_build_environment(self, env):
        env.set("CUDA_HOME", self.spec["cuda"].prefix)
        env.set("CLANG_INC", self.spec["llvm"].prefix.include)

    def setup_run_environment(self, env):
        env.set("CUDA_HOME", self.spec["cuda"].prefix)
        env.prepend_path("LD_LIBRARY_PATH", self.spec["llvm"].prefix.lib)

    def build(self, spec, prefix):
        make("PREFIX={0}".format(prefix), "all", "lib", "described")

    def install(self, spec, prefix):
        make("PREFIX={0}".format(prefix), "install")
