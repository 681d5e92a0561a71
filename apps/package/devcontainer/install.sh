#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What a development container runs as root while it is built; options come as variables. The archive lies beside this file, or
# is the one that was asked for; the wrapper checks it.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
if [ -n "${URL:-}" ]; then
  printf 'version=%s\nurl=%s\nsha256=%s\n' "${VERSION:-}" "$URL" "${SHA256:-}" >"$here/rejig.properties"
else
  sed "s,^url=.*,url=$here/rejig.tar.gz," "$here/rejig.properties" >"$here/properties"
  mv "$here/properties" "$here/rejig.properties"
fi
export REJIG_WRAPPER_HOME=/opt/rejig
sh "$here/rejigw" --version
# Whoever works in the container is not root.
chmod -R go=rX /opt/rejig
mkdir -p /usr/local/bin
for one in /opt/rejig/*/bin/rejig; do ln -sf "$one" /usr/local/bin/rejig; done
