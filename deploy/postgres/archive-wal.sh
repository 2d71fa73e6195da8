#!/bin/sh
# archive-wal.sh SEGMENT COPY, the archive_command of wal-archive.conf.
# It succeeds only after the whole copy is on disk; after a failure PostgreSQL keeps the segment and tries it again.
set -eu
if [ -e "$2" ]; then
  # A crash can make PostgreSQL forget that it succeeded. A segment with other bytes is that of another server.
  cmp "$1" "$2"
  exit
fi
cp "$1" "$2.new"
sync "$2.new"
mv "$2.new" "$2"
sync "$(dirname "$2")"
