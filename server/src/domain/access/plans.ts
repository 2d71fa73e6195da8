/** The requests that an account may make per fixed UTC window. */
export interface Limits {
  readonly perMinute: number;
  readonly perDay: number;
}

/** The plans with fixed numbers (specification, section 8). An enterprise account has two numbers of its own. */
export const PLAN_LIMITS = {
  free: { perMinute: 60, perDay: 1_000 },
  pro: { perMinute: 300, perDay: 10_000 },
  business: { perMinute: 1_000, perDay: 100_000 },
} as const satisfies Record<string, Limits>;
