import type { PrunePreview, PruneResult } from '../domain/admin-store.ts';
import type { LedgerHead } from '../domain/ledger/ledger.ts';
import type { Prune } from '../domain/ledger/prunes.ts';
import type { AuditReport } from '../domain/ledger-store.ts';
import { timestamp } from '../domain/timestamps.ts';
import { keyIdOf } from './actor-json.ts';

/** An audit report, as the interface and the command line return it. */
export function auditJson({ retentionStart, prunes, ...report }: AuditReport) {
  const { pets, movements, hashesChecked, head, firstBadSequence, faults } = report;
  return {
    pets,
    movements,
    hashesChecked,
    retentionStart: startJson(retentionStart),
    prunes: prunes.map(pruneJson),
    head: { sequence: head.sequence, hash: head.hash },
    isIntact: faults.length === 0,
    firstBadSequence,
    faults,
  };
}

/** A report of `AdminStore.verify`, without `isIntact`: `faults` is empty then. */
export function verifyJson(report: AuditReport) {
  const { isIntact: _inFaults, ...members } = auditJson(report);
  return { ...members, findings: report.findings };
}

/** What a prune would do. */
export function previewJson({ endpointsBehind, ...result }: PrunePreview) {
  return { ...deletedJson(result), endpointsBehind };
}

/** What a prune did. */
export function prunedJson(result: PruneResult) {
  const { prune } = result;
  return { ...deletedJson(result), prune: prune ? pruneJson(prune) : null };
}

function deletedJson({ movements, start }: PruneResult) {
  return { movements, start: startJson(start) };
}

function startJson({ sequence, recordedAtMs }: LedgerHead) {
  return { sequence, recordedAt: sequence === 0 ? null : timestamp(recordedAtMs) };
}

function pruneJson(prune: Prune) {
  const { number, afterSequence, start, retained, deleted, actor, recordedAtMs } = prune;
  return {
    number,
    afterSequence,
    start: { sequence: start.sequence, recordedAt: timestamp(start.recordedAtMs), hash: start.hash },
    decidedSequence: prune.decidedSequence,
    retained,
    retainedDigest: prune.retainedDigest,
    deleted,
    actor: { keyId: keyIdOf(actor) },
    recordedAt: timestamp(recordedAtMs),
    previousHash: prune.previousHash,
    hash: prune.hash,
  };
}
