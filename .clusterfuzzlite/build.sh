#!/usr/bin/env bash
# ClusterFuzzLite builds with OSS-Fuzz's script.
set -euo pipefail
exec "$SRC/callfence/fuzz/oss-fuzz/build.sh"
