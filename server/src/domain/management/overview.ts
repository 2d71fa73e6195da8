import {
  ALERT_LEVELS,
  type AlertLevel,
  PET_STATUSES,
  type PetStatus,
} from '@petstore-inventory/shared/words';
import { compareCategories, type ManagedPet } from './pets.ts';

/** Pets with an alert that the totals name, the most severe ones first. */
export const NAMED_ALERTS = 20;
/** Categories that the totals name, those with the most pets first. */
export const NAMED_CATEGORIES = 8;
/** Categories that are counted one by one. Pets of further ones are counted together. */
const MAX_CATEGORIES = 10_000;

/** Pets that have all of this in common. */
export interface PetGroup {
  readonly category: string | null;
  readonly status: PetStatus;
  readonly alertLevel: AlertLevel | null;
  readonly pets: number;
  /** Their quantity; rounded above 2^53. */
  readonly units: number;
}

export interface PetTotalsPage {
  /** Without archived pets. */
  readonly groups: readonly PetGroup[];
  readonly archived: number;
  /** Up to `NAMED_ALERTS` pets, in the order of `compareAlerts`. */
  readonly alerts: readonly ManagedPet[];
  /** The next page begins after this pet; `undefined` when there is none. */
  readonly next?: bigint;
}

interface CategoryTotals {
  /** `null`: pets without one. */
  readonly category: string | null;
  readonly pets: number;
  readonly units: number;
  /** Pets with an alert level. */
  readonly alerts: number;
}

export interface PetTotals {
  readonly pets: number;
  readonly archived: number;
  readonly statuses: Readonly<Record<PetStatus, number>>;
  readonly levels: Readonly<Record<AlertLevel, number>>;
  readonly alerts: readonly ManagedPet[];
  readonly categories: readonly CategoryTotals[];
  /** Pets of the categories that are not named. */
  readonly otherPets: number;
}

/** Orders that wait. A number counts up to `MAX_COUNTED`. */
export interface OpenOrders {
  readonly placed: number;
  readonly approved: number;
  /** Placed ones that expire before the moment asked for. */
  readonly expiring: number;
}

export interface EndpointStates {
  readonly endpoints: number;
  readonly paused: number;
  /** Endpoints that are not paused, and whose last delivery failed. */
  readonly failing: number;
}

/** Totals of the whole shop now. */
export interface OverviewStore {
  /** Counts the pets after one, a limited number of them. */
  totalsPage(after?: bigint): Promise<PetTotalsPage>;
  openOrders(expiringBeforeMs: number): Promise<OpenOrders>;
  endpointStates(): Promise<EndpointStates>;
}

/** The most severe level first, then the pet that changed last. */
function compareAlerts(a: ManagedPet, b: ManagedPet): number {
  return severity(b) - severity(a) || b.updatedAtMs - a.updatedAtMs;
}

function severity({ alertLevel }: ManagedPet): number {
  return alertLevel === null ? -1 : ALERT_LEVELS.indexOf(alertLevel);
}

/** Adds up pages. */
export class PetTotalsSum {
  #archived = 0;
  readonly #statuses = zeros(PET_STATUSES);
  readonly #levels = zeros(ALERT_LEVELS);
  readonly #categories = new Map<string | null, CategoryTotals>();
  #alerts: readonly ManagedPet[] = [];
  #pets = 0;

  add({ groups, archived, alerts }: PetTotalsPage): void {
    this.#archived += archived;
    for (const group of groups) this.#addGroup(group);
    this.#alerts = [...this.#alerts, ...alerts].sort(compareAlerts).slice(0, NAMED_ALERTS);
  }

  totals(): PetTotals {
    const categories = [...this.#categories.values()]
      .sort((a, b) => b.pets - a.pets || compareCategories(a.category, b.category))
      .slice(0, NAMED_CATEGORIES);
    return {
      pets: this.#pets,
      archived: this.#archived,
      statuses: this.#statuses,
      levels: this.#levels,
      alerts: this.#alerts,
      categories,
      otherPets: this.#pets - categories.reduce((sum, { pets }) => sum + pets, 0),
    };
  }

  #addGroup({ category, status, alertLevel, pets, units }: PetGroup): void {
    this.#pets += pets;
    this.#statuses[status] += pets;
    if (alertLevel !== null) this.#levels[alertLevel] += pets;
    const known = this.#categories.get(category);
    if (!known && this.#categories.size >= MAX_CATEGORIES) return;
    const before = known ?? { pets: 0, units: 0, alerts: 0 };
    this.#categories.set(category, {
      category,
      pets: before.pets + pets,
      units: Math.min(before.units + units, Number.MAX_SAFE_INTEGER),
      alerts: before.alerts + (alertLevel === null ? 0 : pets),
    });
  }
}

function zeros<Name extends string>(names: readonly Name[]): Record<Name, number> {
  return Object.fromEntries(names.map((name) => [name, 0])) as Record<Name, number>;
}
