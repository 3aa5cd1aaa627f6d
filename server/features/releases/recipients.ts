import { hasFullAccess, visibleUntil } from '#contract/rules/access.ts';
import type { TracksTable } from '../../db/tables.ts';
import type { Subscriber } from './queries.ts';

type Recipient = Subscriber & { grace_ms: number; early_ms: number };

/** Nobody hears of a release before they may hear it. */
export function maySee(track: TracksTable, recipient: Recipient, now: number): boolean {
  const isAllowed = !track.is_subscriber_only || hasFullAccess(recipient, now);
  return isAllowed && visibleUntil(recipient, now) >= (track.publish_at ?? Infinity);
}
