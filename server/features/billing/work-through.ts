import type { Deps } from '../../deps.ts';
import { PaymentsError } from '../../ports/payments/payments.ts';

/** A provider that fails this often in a row is left alone until the next run. */
const MAX_FAILURES = 10;

/**
 * Runs each, one after the other. One that fails doesn't stop the others; a provider that is down does.
 * What isn't the provider's fault fails the job in the end, so that somebody sees it.
 */
export async function workThrough<T>(
  { log }: Pick<Deps, 'log'>,
  items: Iterable<T> | AsyncIterable<T>,
  signal: AbortSignal,
  work: (item: T) => Promise<unknown>,
): Promise<void> {
  const ours: unknown[] = [];
  let failures = 0;
  for await (const item of items) {
    if (signal.aborted || failures >= MAX_FAILURES) break;
    try {
      await work(item);
      failures = 0;
    } catch (error) {
      if (error instanceof PaymentsError) failures += 1;
      else ours.push(error);
      log.warn({ err: error }, 'One of several failed; it is tried again, and the others go on.');
    }
  }
  if (ours.length > 0)
    throw new Error(`${ours.length} failed for a reason of our own.`, { cause: ours[0] });
}
