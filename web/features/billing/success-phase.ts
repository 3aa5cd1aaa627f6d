export type Settlement = { state: 'open' | 'paid' | 'failed' | 'refused' };

/**
 * `checking` is the first look, `waiting` a bank that has not decided, `opening` a payment whose
 * access is on its way, `refused` one that goes back, `unreachable` a provider that does not answer.
 */
export type SuccessPhase =
  | 'checking'
  | 'waiting'
  | 'opening'
  | 'unreachable'
  | 'ready'
  | 'failed'
  | 'refused'
  | 'unknown'
  | 'nothing';

type Known = {
  hasReference: boolean;
  settlement: Settlement | undefined;
  /** The status of the last answer that was none; 0 when nobody answered. */
  refusal: number | null;
  hasAccess: boolean;
};

/** What the page after a checkout says. A payment that failed is told even to those who have access. */
export function findPhase({ hasReference, settlement, refusal, hasAccess }: Known): SuccessPhase {
  if (settlement?.state === 'failed' || settlement?.state === 'refused') return settlement.state;
  if (hasAccess) return 'ready';
  if (!hasReference) return 'nothing';
  if (settlement?.state === 'paid') return 'opening';
  if (refusal === 404) return 'unknown';
  if (refusal !== null) return 'unreachable';
  return settlement ? 'waiting' : 'checking';
}

/** Banks that take longer than this tell by webhook and e-mail. */
const FIRST_DELAYS_MS = [500, 1000, 2000, 3000, 5000];
const LATER_DELAY_MS = 10_000;
const MOST_CHECKS = 60;

/** How long to wait before asking again; null once asking is left to the person. */
export function nextCheckDelay(checks: number): number | null {
  if (checks >= MOST_CHECKS) return null;
  return FIRST_DELAYS_MS[Math.max(0, checks - 1)] ?? LATER_DELAY_MS;
}
