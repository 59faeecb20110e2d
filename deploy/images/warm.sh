#!/bin/sh
# Runs programs once as the user of the images, which fills NODE_COMPILE_CACHE. Afterwards only root may write there.
set -e
install -d -o 10001 -g 10001 "$NODE_COMPILE_CACHE"
chown -R 10001:10001 "$NODE_COMPILE_CACHE"
for program in "$@"; do
  # shellcheck disable=SC2086 # a program with its arguments
  setpriv --reuid=10001 --regid=10001 --clear-groups node bin/run.mjs $program
done
chown -R root:root "$NODE_COMPILE_CACHE"
rm -rf /tmp/* /tmp/.[!.]*
