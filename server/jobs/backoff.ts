import { HOUR } from '#contract/rules/time.ts';
const FIRST_DELAY_MS = 10_000;
const LONGEST_DELAY_MS = HOUR;

/**
 * How long to wait after a failed attempt: doubling from ten seconds to an hour, of which a random
 * part of up to a half is taken off so that jobs that failed together do not come back together.
 */
export const backoffDelay = (attempt: number, random: number): number => {
  const delay = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (attempt - 1));
  return Math.round(delay - (delay / 2) * random);
};

/** How many attempts a job needs that must not give up for so long, however the random part falls. */
export const attemptsOver = (ms: number): number => {
  let attempts = 1;
  for (let waited = 0; waited < ms; attempts += 1) waited += backoffDelay(attempts, 1);
  return attempts;
};
