import { hasFullAccess, visibleUntil } from '#contract/rules/access.ts';
import type { TracksTable } from '../../db/types/tables.ts';
import type { Subscriber } from './queries.ts';

type Recipient = Subscriber & { grace_ms: number; early_ms: number };

/** Nobody hears of a release before they may hear it. */
export function maySee(track: TracksTable, recipient: Recipient, now: number): boolean {
  const isAllowed = !track.is_subscriber_only || hasFullAccess(recipient, now);
  return isAllowed && visibleUntil(recipient, now) >= (track.publish_at ?? Infinity);
}

const BATCH = 200;
type Page = { after: string; limit: number };

/** A batch at a time, however many there are. Each has its own transaction. */
export async function tellInBatches<T extends { id: string }>(
  signal: AbortSignal,
  list: (page: Page) => Promise<T[]>,
  tell: (batch: T[]) => Promise<void>,
): Promise<void> {
  let after = '';
  for (;;) {
    signal.throwIfAborted();
    const batch = await list({ after, limit: BATCH });
    await tell(batch);
    const last = batch.at(-1);
    if (!last || batch.length < BATCH) return;
    after = last.id;
  }
}
