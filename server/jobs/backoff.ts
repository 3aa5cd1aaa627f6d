import { HOUR } from '#contract/rules/time.ts';
const FIRST_DELAY_MS = 10_000;
const LONGEST_DELAY_MS = HOUR;

/**
 * How long to wait after a failed attempt: doubles from ten seconds to an hour. A random part of up
 * to half is subtracted, so that jobs that failed together don't all retry together.
 */
export const backoffDelay = (attempt: number, random: number): number => {
  const delay = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (attempt - 1));
  return Math.round(delay - (delay / 2) * random);
};

/** How many attempts a job needs to keep trying for this long, even with the shortest delays. */
export const countAttemptsWithin = (ms: number): number => {
  let attempts = 1;
  for (let waited = 0; waited < ms; attempts += 1) waited += backoffDelay(attempts, 1);
  return attempts;
};
