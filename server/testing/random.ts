import { createRandom as createNumbers } from '#contract/rules/random.ts';

export type Random = { below: (limit: number) => number; pick: <T>(items: readonly T[]) => T };

/** The same numbers for the same seed, so that a failing test fails again. */
export function createRandom(seed: number): Random {
  const next = createNumbers(seed);
  const below = (limit: number) => Math.floor(next() * limit);
  return { below, pick: (items) => items[below(items.length)] as (typeof items)[number] };
}
