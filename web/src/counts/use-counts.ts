import { useEffect, useSyncExternalStore } from 'react';
import { newIdempotencyKey } from '../api/client.ts';
import { serviceNow } from '../api/service-clock.ts';
import { movementStream, useLiveStatus } from '../live/use-live.ts';
import { keptSession, personOf } from '../offline/kept-session.ts';
import type { Session } from '../session/session-api.ts';
import { browserStorage } from '../storage/browser-storage.ts';
import type { Count, WaitingEdit } from './count.ts';
import type { WaitingDetails } from './details.ts';
import { CountQueue, isCountKey } from './count-queue.ts';
import { CountSender } from './count-sender.ts';
import { inNameOf, type Person, sendCount } from './send-count.ts';
import { undoCount } from './undo-count.ts';

const RETRY_MS = 5_000;

export const countQueue = new CountQueue(browserStorage);
/** All tabs share the session, so somebody else may have signed in with another one. */
const mayBeOf = (personId: string) => {
  const kept = keptSession();
  return !kept || personOf(kept) === personId;
};
const sender = new CountSender(countQueue, sendCount, mayBeOf);

/** All counts of this browser, the newest first. */
export const useCounts = (): readonly Count[] =>
  useSyncExternalStore(countQueue.subscribe, () => countQueue.counts);

/** Sends counts that wait whenever the service may be there. One component of the page does it. */
export function useCountSender(session: Session): void {
  const keyId = personOf(session);
  const { state } = useLiveStatus();
  const waiting = useCounts().filter((count) => count.state === 'waiting' && count.keyId === keyId).length;

  // A new count, and a connection that is back, are sent immediately.
  useEffect(() => {
    if (waiting > 0 && state !== 'offline') void sender.run(keyId);
  }, [keyId, waiting, state]);

  useEffect(() => {
    const onStorage = ({ key }: StorageEvent) => isCountKey(key) && countQueue.refresh();
    const onOnline = () => void sender.run(keyId);
    // A browser without a network may still reach a service on its own machine.
    const isReachable = () => navigator.onLine || movementStream.status.state === 'live';
    const timer = setInterval(() => isReachable() && onOnline(), RETRY_MS);
    window.addEventListener('storage', onStorage);
    window.addEventListener('online', onOnline);
    return () => {
      clearInterval(timer);
      window.removeEventListener('storage', onStorage);
      window.removeEventListener('online', onOnline);
    };
  }, [keyId]);
}

/** The state of a pet when it is counted, and the stock-take that it is counted for. */
type CountedPet = Pick<Count, 'petId' | 'name' | 'expected' | 'tag' | 'stocktakeId'>;

/** Keeps a count; it is sent as soon as possible. @throws QueueFullError */
export function keepCount(pet: CountedPet, counted: number, person: Person): void {
  countQueue.add(waitingCount(pet, counted, person));
}

const isWaiting = (count: Count, petId: string, keyId: string): boolean =>
  count.petId === petId && count.state === 'waiting' && count.keyId === keyId;

/** The newest count of a pet, or edit of its quantity, that waits to be sent. */
export const waitingOf = (counts: readonly Count[], petId: string, keyId: string): Count | undefined =>
  counts.find((count) => !count.edit?.details && isWaiting(count, petId, keyId));

/** Whether an edit of the pet cannot be sent now: there is no connection, or an earlier edit of the pet waits for one. */
export const mustWait = (petId: string, keyId: string): boolean =>
  movementStream.status.state === 'offline' ||
  countQueue.counts.some((count) => isWaiting(count, petId, keyId));

/** An edit that was not sent, or not answered. */
interface UnsentEdit {
  readonly pet: CountedPet;
  /** The quantity after it, as far as the person knows. */
  readonly quantity: number;
  /** The change of an edit that adds. */
  readonly delta: number | undefined;
  /** The idempotency key of a request that may have arrived. */
  readonly triedKey: string | undefined;
  /** What the edit has besides its change, such as its reason. */
  readonly words?: Omit<WaitingEdit, 'delta' | 'occurredAt'>;
}

/** Keeps an edit until there is a connection. @throws QueueFullError */
export function keepEdit({ pet, quantity, delta, triedKey, words }: UnsentEdit, person: Person): void {
  const count = waitingCount(pet, quantity, person, triedKey);
  const isTried = triedKey !== undefined;
  // A request with the key of an earlier one needs its body, which had no time.
  const edit = {
    ...words,
    ...(delta !== undefined && { delta }),
    ...(!isTried && { occurredAt: count.countedAt }),
  };
  countQueue.add({ ...count, edit, isTried, ...(isTried && { triedAtMs: Date.now() }) });
}

/**
 * Keeps an edit of details until there is a connection. @throws QueueFullError
 * @param isTried Whether its request may have arrived. Repeated, it changes nothing.
 */
export function keepDetails(
  pet: Omit<CountedPet, 'stocktakeId'>,
  details: WaitingDetails,
  person: Person,
  isTried = false,
): void {
  const count = waitingCount(pet, pet.expected, person);
  countQueue.add({ ...count, edit: { details }, isTried });
}

function waitingCount(pet: CountedPet, counted: number, person: Person, key = newIdempotencyKey()): Count {
  const countedAt = new Date(serviceNow()).toISOString();
  const id = `${countedAt} ${key.slice(0, 8)}`;
  return { id, key, ...pet, counted, countedAt, keyId: personOf(person), by: person.name, state: 'waiting' };
}

/** Sets the count, or the details, although the pet was changed meanwhile. */
export function overwriteWith({ id, now, edit }: Count): void {
  if (!now) return;
  const { quantity: expected, tag } = now;
  const changes = { state: 'waiting' as const, expected, tag, key: newIdempotencyKey() };
  const details = edit?.details && { ...edit.details, before: { ...edit.details.before, ...now.details } };
  countQueue.update(id, details ? { ...changes, edit: { ...edit, details }, now: undefined } : changes);
}

/** Records a count as the stock of the pet, because its stock-take was closed. */
export function sendWithoutStocktake({ id }: Count): void {
  countQueue.update(id, {
    state: 'waiting',
    stocktakeId: undefined,
    problem: undefined,
    key: newIdempotencyKey(),
  });
}

/** Sends a change again that was refused, such as after the stock or the role has changed. Nothing of it was recorded. */
export function sendAgain({ id }: Count): void {
  countQueue.update(id, {
    state: 'waiting',
    problem: undefined,
    key: newIdempotencyKey(),
    isTried: false,
  });
}

/** Leaves what the service has. */
export const keepTheirs = ({ id }: Count): unknown => countQueue.update(id, { state: 'kept' });

/** Takes a count back: one that was not sent yet never happened. @throws Error if the service was not reached */
export async function undo(count: Count): Promise<void> {
  if (count.state === 'waiting' && !count.isTried) return countQueue.remove(count.id);
  const undoKey = count.undoKey ?? newIdempotencyKey();
  // Kept first, so that an undo whose answer is lost can be repeated.
  countQueue.update(count.id, { undoKey });
  countQueue.update(count.id, await undoCount({ ...count, undoKey }));
}

/** Takes over counts that somebody else left on this device. */
export function adopt(counts: readonly Count[], person: Person): void {
  for (const count of counts) countQueue.update(count.id, inNameOf(count, person));
}
