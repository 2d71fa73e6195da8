#!/bin/sh
# base-backup.sh ARCHIVE DAYS, as user postgres: a verified base backup in ARCHIVE/base. Only after that it deletes base
# backups older than DAYS days, and the log that only they need.
set -eu
archive=$1
oldest=$(date -u -d "$2 days ago" +%Y%m%d%H%M%S)
new=$archive/base/$(date -u +%Y%m%d%H%M%S)
# What a killed one left.
rm -rf "$archive"/base/*.new
pg_basebackup --pgdata "$new.new" --checkpoint fast
pg_verifybackup --quiet "$new.new"
# The moment to which this server was restored once; a restore of this base backup would stop there, and lose what followed.
sed -i '/^recovery_target/d' "$new.new/postgresql.auto.conf"
mv "$new.new" "$new"
for base in "$archive"/base/*; do
  if [ "$(basename "$base")" -lt "$oldest" ]; then rm -r "$base"; fi
done
for base in "$archive"/base/*; do
  pg_archivecleanup "$archive/wal" "$(sed -n 's/^START WAL LOCATION: .*(file \(.*\))$/\1/p' "$base/backup_label")"
  break
done
echo "$new"
