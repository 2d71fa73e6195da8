/** The newest backup whose restore was verified. */
export interface NewestBackup {
  /** When the copy began, by the clock of the database. */
  readonly madeAtMs: number;
  /** The newest movement in it; 0 without one. */
  readonly sequence: number;
  readonly bytes: number;
}

/** How old a backup is; a clock that was set back makes none younger than now. */
export function backupAgeSeconds({ madeAtMs }: NewestBackup, nowMs: number): number {
  return Math.max(0, Math.floor((nowMs - madeAtMs) / 1_000));
}
