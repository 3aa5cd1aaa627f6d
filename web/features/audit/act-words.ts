import type { AuditEntry } from '#contract/audit.ts';

const WORDS: Record<string, string> = {
  'admin.created': 'became an administrator',
  'admin.made': 'was made an administrator',
  'admin.ended': 'is no longer an administrator',
  'user.disabled': 'was shut out',
  'user.enabled': 'was let in again',
  'user.signed-out': 'was signed out everywhere',
  'user.reset-link': 'got a link for a new password',
  'access.given': 'was given access',
  'access.ended': 'lost access at once',
  'subscription.ended': 'had the subscription ended',
  'refund.asked': 'was to be paid back',
  'payment.refunded': 'was paid back',
  'settings.changed': 'Settings were changed',
  'job.retried': 'A job was tried again',
  'job.discarded': 'A job was given up',
  'coupon.made': 'A coupon was made',
  'gift.made': 'A gift was made',
  'track.uploaded': 'was uploaded',
  'track.published': 'was published',
  'track.unpublished': 'was taken back',
  'track.scheduled': 'was scheduled',
  'track.moved': 'was moved to another week',
  'track.deleted': 'was deleted',
  'track.restored': 'was brought back',
  'track.reverted': 'was put back as it had been',
  'track.edited': 'was edited',
  'track.cover-changed': 'got another cover',
  'track.processed': 'is being processed again',
  'track.sound-replaced': 'got another sound',
};

/** A sentence without its full stop; an act nobody has words for yet stands as it is. */
export function describeAct({ act, subject }: Pick<AuditEntry, 'act' | 'subject'>): string {
  const words = WORDS[act] ?? act;
  if (subject.kind === 'track' && words !== act) return `${subject.name ?? 'A mix'} ${words}`;
  if (subject.kind !== 'user') return words;
  return `${subject.name ?? 'Somebody who has left'} ${words}`;
}

const VIA: Record<AuditEntry['via'], string> = {
  web: 'somebody who has left',
  console: 'the server’s console',
  setup: 'the link of the first start',
};

export const describeActor = ({ actor, via }: Pick<AuditEntry, 'actor' | 'via'>): string =>
  actor.name ?? VIA[via];
