#!/usr/bin/env bash
# Builds the fuzz targets into $OUT, with what belongs beside each: its seed corpus, dictionary and options. This is the
# one build script for OSS-Fuzz, ClusterFuzzLite and our own checks; its input is OSS-Fuzz's environment variables.
#
# The targets are those that CMake finds, never listed here. In $SRC are this project (callfence) and, where RE2 has to
# be compiled with $CXXFLAGS, RE2's sources (re2); without them the system's RE2 is linked. What is not part of every
# system is linked statically or is headers only.
set -euo pipefail

project=$SRC/callfence
engine=${FUZZING_ENGINE:-libfuzzer}
sanitizer=${SANITIZER:-none}
# A folder for each kind of build, so that none takes objects from another.
build=$WORK/callfence-$engine-$sanitizer

# RE2's makefile builds where its sources are, so it gets a copy. In its fuzzing build mode RE2::GlobalReplace replaces
# once only; we fuzz RE2 as it is in production.
build_re2() {
  local prefix=$build/re2-installed
  if [[ ! -e $prefix/lib/libre2.a ]]; then
    rm -rf "$build/re2"
    cp -r "$SRC/re2" "$build/re2"
    make -C "$build/re2" -j "${CMAKE_BUILD_PARALLEL_LEVEL:-$(nproc)}" prefix="$prefix" CXX="$CXX" \
      CXXFLAGS="$CXXFLAGS -UFUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION" static-install
  fi
  export PKG_CONFIG_PATH=$prefix/lib/pkgconfig${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}
}

# Edges are counted beside libFuzzer's own instrumentation. AFL++ has another, MemorySanitizer would have to know of
# ours, and a coverage report is about the code alone.
count_edges=OFF
case $engine:$sanitizer in
  libfuzzer:coverage | libfuzzer:memory | libfuzzer:introspector) ;;
  libfuzzer:*) count_edges=ON ;;
esac

mkdir -p "$build" "$OUT"
if [[ -d $SRC/re2 ]]; then build_re2; fi

# Without a build type, $CXXFLAGS are all the flags there are.
cmake -S "$project" -B "$build" -G Ninja \
  -DCMAKE_BUILD_TYPE= \
  -DCMAKE_CXX_COMPILER="$CXX" \
  -DCMAKE_CXX_FLAGS="$CXXFLAGS" \
  -DCALLFENCE_FUZZ_ENGINE="${LIB_FUZZING_ENGINE// /;}" \
  -DCALLFENCE_COUNT_EDGES="$count_edges" \
  -DCALLFENCE_SANITIZE= \
  -DCALLFENCE_STATIC=ON \
  -DCALLFENCE_TESTS=OFF \
  -DCALLFENCE_WERROR=OFF

# targets.tsv: a target, its seeds (corpus/NAME, archived by archive_NAME), its dictionary, its options.
mapfile -t targets < <(cut -f1 "$build/fuzz/targets.tsv")
mapfile -t archives < <(cut -f2 "$build/fuzz/targets.tsv" | sort -u | sed 's,^corpus/,archive_,')
((${#targets[@]})) || { echo "build.sh: CMake found no fuzz target in $project/fuzz." >&2 && exit 1; }
cmake --build "$build" --target "${targets[@]}" "${archives[@]}"
cmake --install "$build" --component fuzz --prefix "$OUT"
