import type { EventType } from '../../domain/webhooks/events.ts';
import { type EventFacts, matches, type Subscription } from './event-facts.ts';

/** Finds the subscribers of an event. Those that it does not match by type or pet take no time. */
export class SubscriptionIndex<Subscriber extends { readonly subscription: Subscription }> {
  /** Arrays, because a set takes several times as much memory for one subscriber, and there can be a million pets. */
  readonly #byPet = new Map<string, Subscriber[]>();
  readonly #byType = new Map<EventType | null, Set<Subscriber>>();

  add(subscriber: Subscriber): void {
    const { petIds, types } = subscriber.subscription;
    if (petIds) for (const petId of petIds) this.#addPet(petId, subscriber);
    else for (const type of types ?? [null]) addTo(this.#byType, type, subscriber);
  }

  remove(subscriber: Subscriber): void {
    const { petIds, types } = subscriber.subscription;
    if (petIds) for (const petId of petIds) this.#removePet(petId, subscriber);
    else for (const type of types ?? [null]) removeFrom(this.#byType, type, subscriber);
  }

  subscribersOf(facts: EventFacts): ReadonlySet<Subscriber> {
    const found = new Set<Subscriber>();
    for (const set of this.#candidates(facts)) {
      for (const subscriber of set) if (matches(subscriber.subscription, facts)) found.add(subscriber);
    }
    return found;
  }

  /** Allocates nothing: most movements are not wanted, and the thread that sends looks at each. */
  isWanted(facts: EventFacts): boolean {
    const { type, petIds } = facts;
    if (
      this.#byType.size > 0 &&
      (hasMatch(this.#byType.get(type), facts) || hasMatch(this.#byType.get(null), facts))
    ) {
      return true;
    }
    for (const petId of petIds) if (hasMatch(this.#byPet.get(petId), facts)) return true;
    return false;
  }

  #addPet(petId: string, subscriber: Subscriber): void {
    const subscribers = this.#byPet.get(petId);
    if (subscribers) subscribers.push(subscriber);
    else this.#byPet.set(petId, [subscriber]);
  }

  #removePet(petId: string, subscriber: Subscriber): void {
    const rest = this.#byPet.get(petId)?.filter((other) => other !== subscriber) ?? [];
    if (rest.length > 0) this.#byPet.set(petId, rest);
    else this.#byPet.delete(petId);
  }

  #candidates({ type, petIds }: EventFacts): readonly Iterable<Subscriber>[] {
    const sets = [this.#byType.get(type), this.#byType.get(null), ...petIds.map((id) => this.#byPet.get(id))];
    return sets.filter((set) => set !== undefined);
  }
}

function hasMatch(
  subscribers: Iterable<{ readonly subscription: Subscription }> | undefined,
  facts: EventFacts,
): boolean {
  if (!subscribers) return false;
  for (const { subscription } of subscribers) if (matches(subscription, facts)) return true;
  return false;
}

function addTo<Key, Value>(sets: Map<Key, Set<Value>>, key: Key, value: Value): void {
  const set = sets.get(key);
  if (set) set.add(value);
  else sets.set(key, new Set([value]));
}

function removeFrom<Key, Value>(sets: Map<Key, Set<Value>>, key: Key, value: Value): void {
  const set = sets.get(key);
  set?.delete(value);
  if (set?.size === 0) sets.delete(key);
}
