import type { AuditEntry } from '#contract/admin/audit.ts';
import { CURRENCY } from '#contract/rules/plans.ts';
import { formatCount, formatDateTime, formatMoney } from '#web/lib/format.ts';

const WORDS: Record<string, string> = {
  'admin.created': 'became an administrator',
  'admin.added': 'was made an administrator',
  'admin.removed': 'is no longer an administrator',
  'user.disabled': 'was disabled',
  'user.enabled': 'was re-enabled',
  'user.logged-out': 'was logged out everywhere',
  'user.reset-link': 'was sent a password reset link',
  'access.granted': 'was granted access',
  'access.ended': 'lost access immediately',
  'subscription.ended': 'had their subscription ended',
  'refund.requested': 'is due a refund',
  'payment.refunded': 'was refunded',
  'settings.changed': 'Settings changed',
  'job.retried': 'Job retried',
  'job.discarded': 'Job discarded',
  'coupon.created': 'Coupon created',
  'gift.created': 'Gift created',
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
  console: 'the server console',
  setup: 'the setup link',
};

export const describeActor = ({ actor, via }: Pick<AuditEntry, 'actor' | 'via'>): string =>
  actor.name ?? VIA[via];

const FIELDS: Record<string, string> = {
  bpm: 'BPM',
  isAdmin: 'Administrator',
  isImmediate: 'Immediately',
};

const toLabel = (field: string): string =>
  FIELDS[field] ??
  `${field.charAt(0).toUpperCase()}${field.slice(1).replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}`;

function describeValue(field: string, value: string): string {
  if (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)) return formatDateTime(Date.parse(value));
  if (value === 'true') return 'yes';
  if (value === 'false') return 'no';
  if (field === 'cover') return 'own picture';
  if (field === 'amount' || field.endsWith('Price')) return formatMoney(Number(value), CURRENCY);
  if (field !== 'tracklist') return value;
  // The log shortens long tracklists.
  const tracks = formatCount(value.split('"at":').length - 1, 'track');
  return value.endsWith('…') ? `more than ${tracks}` : tracks;
}

/** A changed field as people read it: `Release: 27 Nov 2026, 18:00`. */
export function describeChange({ field, before, after }: AuditEntry['changes'][number]): {
  label: string;
  before: string | null;
  after: string | null;
} {
  const describe = (value: string | null) => (value === null ? null : describeValue(field, value));
  return { label: toLabel(field), before: describe(before), after: describe(after) };
}
