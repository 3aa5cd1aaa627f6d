import type { AuditEntry } from '#contract/admin/audit.ts';

const WORDS: Record<string, string> = {
  'admin.created': 'became an administrator',
  'admin.made': 'was made an administrator',
  'admin.ended': 'is no longer an administrator',
  'user.disabled': 'was disabled',
  'user.enabled': 'was enabled again',
  'user.signed-out': 'was logged out everywhere',
  'user.reset-link': 'got a link to reset the password',
  'access.given': 'was granted access',
  'access.ended': 'lost access immediately',
  'subscription.ended': 'had the subscription canceled',
  'refund.asked': 'was promised a refund',
  'payment.refunded': 'was refunded',
  'settings.changed': 'Settings changed',
  'job.retried': 'A job was retried',
  'job.discarded': 'A job was discarded',
  'coupon.made': 'A coupon was created',
  'gift.made': 'A gift was created',
  'track.uploaded': 'was uploaded',
  'track.published': 'was published',
  'track.unpublished': 'was unpublished',
  'track.scheduled': 'was scheduled',
  'track.moved': 'was moved to another week',
  'track.deleted': 'was deleted',
  'track.restored': 'was restored',
  'track.reverted': 'was reverted',
  'track.edited': 'was edited',
  'track.cover-changed': 'got a new cover',
  'track.processed': 'is being processed again',
  'track.audio-replaced': 'got new audio',
};

/** A sentence without its full stop; an action without words appears as it is. */
export function describeAction({
  action,
  subject,
}: Pick<AuditEntry, 'action' | 'subject'>): string {
  const words = WORDS[action] ?? action;
  if (subject.kind === 'track' && words !== action) return `${subject.name ?? 'A mix'} ${words}`;
  if (subject.kind !== 'user') return words;
  return `${subject.name ?? 'A deleted account'} ${words}`;
}

const VIA: Record<AuditEntry['via'], string> = {
  web: 'a deleted account',
  console: 'the server’s console',
  setup: 'the setup link',
};

export const describeActor = ({ actor, via }: Pick<AuditEntry, 'actor' | 'via'>): string =>
  actor.name ?? VIA[via];
