import type { AuditEntry } from '#contract/admin/audit.ts';
import { formatCount } from '#web/lib/format/format.ts';
import { describeJob, namePauseTarget } from '#contract/admin/job-names.ts';
import { describeDifference, describeValue, type Difference } from './describe-value.ts';

type Part = { text: string; href?: string };

export type Sentence = {
  /** Joined, they make up the sentence, without a full stop. */
  parts: Part[];
  /** What the sentence leaves out. */
  differences: Difference[];
};

/** `{subject}` is what was changed; other names are recorded values, with `:before` the old ones. */
const SENTENCES: Record<string, string> = {
  'admin.created': 'created the administrator {subject}',
  'admin.added': 'made {subject} an administrator',
  'admin.removed': 'removed {subject} from the administrators',
  'helper.added': 'made {subject} a helper',
  'helper.removed': 'removed {subject} from the helpers',
  'admin.grace-extended': 'gave {subject} another week to set up two-step login or a passkey',
  'user.two-step-reset': 'removed two-step login and the passkeys of {subject}',
  'user.disabled': 'disabled the account of {subject}',
  'user.enabled': 'enabled the account of {subject} again',
  'user.mail-started': 'let e-mails go to {subject} again',
  'user.logged-out': 'logged {subject} out on every device',
  'podcast-feed.turned-off': 'turned off the podcast feed of {subject}',
  'user.reset-link': 'created a password reset link for {subject}',
  'access.granted': 'gave {subject} access until {until}',
  'access.ended': 'ended the access of {subject}',
  'subscription.ended': 'ended the subscription of {subject}',
  'refund.requested': 'asked the payment provider to refund {amount} to {subject}',
  'payment.refunded': 'refunded {amount} to {subject}',
  'payment-issue.closed': 'closed a payment issue ({kind})',
  'subscription.kept': 'chose to keep the subscription if a dispute is lost',
  'subscription.not-kept': 'chose to end the subscription if a dispute is lost',
  'price-change.planned': 'planned to change {subject} to {amount} on {startsAt}',
  'price-change.cancelled': 'cancelled the planned change of {subject} to {amount}',
  'coming-over.run': 'ran “coming-over {command}”',
  'members.imported': 'imported {added} new members from {source}',
  'members.exported': 'exported the members as CSV',
  'list.exported': 'exported the list “{list}” as CSV',
  'settings.changed': 'changed {subject}',
  'file-ends.changed': 'changed which files members can keep',
  'books.closed': 'closed the books up to {closedUntil}',
  'books.reopened': 'opened the books of {closedUntil:before} again',
  'usage-report.made': 'made a usage report of {period} for {layout}',
  'usage-report.made-again': 'made usage report {number} again',
  'usage-report.downloaded': 'downloaded usage report {number}',
  'usage-report.changes-downloaded': 'downloaded the changes of usage report {number}',
  'job.retried': 'retried {subject}',
  'job.run': 'ran {subject} before its time',
  'job.discarded': 'discarded {subject}',
  'jobs.paused': 'paused {subject}',
  'jobs.resumed': 'let {subject} go on',
  'coupon.created': 'created {subject}',
  'gift.created': 'created {subject}',
  'artist.edited': 'edited {subject}',
  'artist.picture-changed': 'changed the picture of {subject}',
  'artist.merged': 'merged {merged} into {subject}',
  'artist.deleted': 'deleted {subject}',
  'letter.created': 'began {subject}',
  'letter.sent': 'sent {subject} to {audience}',
  'letter.planned': 'planned {subject} to {audience} for {sendAt}',
  'letter.cancelled': 'cancelled the time of {subject}',
  'letter.stopped': 'stopped sending {subject}',
  'letter.resumed': 'went on sending {subject}',
  'letter.page-changed': 'changed who can read {subject} on the site',
  'letter.deleted': 'deleted {subject}',
  'moment.hidden': 'hid a moment of {subject} at {at} in {title}',
  'moment.shown': 'showed a moment of {subject} at {at} in {title} again',
  'moments.banned': 'banned {subject} from moments ({ban})',
  'moments.unbanned': 'let {subject} leave moments again',
  'moments.turned-off': 'turned moments off for {subject}',
  'moments.turned-on': 'turned moments on for {subject}',
  'track.recordings-changed': 'changed what lines of {subject} play',
  'track.recordings-read': 'read details of what {subject} plays from a file',
  'recording.created': 'entered details of {subject}',
  'recording.edited': 'corrected {subject}',
  'recording.merged': 'merged {merged} into {subject}',
  'track.uploaded': 'uploaded {subject}',
  'track.taken-down': 'took {subject} down on a complaint',
  'track.put-back': 'put {subject} back',
  'track.published': 'published {subject}',
  'track.unpublished': 'unpublished {subject}',
  'track.scheduled': 'scheduled {subject} for {release}',
  'track.moved': 'moved {subject} from week {week:before} to week {week}',
  'track.deleted': 'deleted {subject}',
  'track.restored': 'restored {subject}',
  'track.reverted': 'undid the last change of {subject}',
  'track.edited': 'edited {subject}',
  'track.cover-changed': 'changed the cover of {subject}',
  'track.processed': 'reprocessed {subject} from its original',
  'track.audio-replaced': 'replaced the audio of {subject}',
  'track.clip-removed': 'removed a clip of {subject}',
};

/** Recorded values that the words of an action already say. */
const IMPLIED: Record<string, readonly string[]> = {
  'admin.added': ['isAdmin'],
  'admin.removed': ['isAdmin'],
  'helper.added': ['isHelper'],
  'helper.removed': ['isHelper'],
  'subscription.ended': ['isImmediate'],
  'payment.refunded': ['currency'],
  'refund.requested': ['currency'],
  'artist.picture-changed': ['picture'],
  'artist.deleted': ['name'],
  'track.published': ['release'],
  'track.cover-changed': ['cover'],
  'job.retried': ['name', 'about'],
  'job.run': ['name', 'about'],
  'job.discarded': ['name', 'about'],
  'jobs.paused': ['target'],
  'jobs.resumed': ['target'],
  'price-change.planned': ['plan'],
  'price-change.cancelled': ['plan'],
  'coupon.created': ['code'],
  'gift.created': ['months'],
  'moments.unbanned': ['ban'],
  'letter.created': ['subject'],
  'letter.sent': ['subject'],
  'letter.planned': ['subject'],
  'letter.cancelled': ['subject'],
  'letter.stopped': ['subject'],
  'letter.resumed': ['subject'],
  'letter.page-changed': ['subject'],
  'letter.deleted': ['subject'],
};

const VIA: Record<AuditEntry['via'], string> = {
  web: 'A deleted account',
  console: 'The server console',
  setup: 'The setup link',
};

function describeActor({ actor, via }: AuditEntry): Part {
  if (actor.name === null) return { text: VIA[via] };
  return { text: actor.name, ...(actor.id && { href: `/admin/subscribers/${actor.id}` }) };
}

const PAGES: Record<string, string> = {
  site: '/admin/settings',
  job: '/admin/jobs',
  coupon: '/admin/coupons',
  gift: '/admin/coupons',
  price: '/admin/prices',
};

function describeSubject({ action, subject, changes }: AuditEntry): Part {
  const { kind, id, name, weekNumber, isDeleted } = subject;
  const valueOf = (field: string) => changes.find((change) => change.field === field)?.after;
  const page = PAGES[kind];
  const link = page ? { href: page } : {};
  if (kind === 'site')
    return {
      text: changes.length > 1 ? formatCount(changes.length, 'setting') : 'settings',
      ...link,
    };
  if (kind === 'job') {
    const target = valueOf('target');
    if (target) return { text: `“${namePauseTarget(target)}”`, ...link };
    const [job, about] = [describeJob(valueOf('name') ?? 'a job').name, valueOf('about')];
    return { text: about ? `“${job}” for “${about}”` : `“${job}”`, ...link };
  }
  if (kind === 'price') return { text: `the price of the ${valueOf('plan') ?? ''} plan`, ...link };
  if (kind === 'coupon') return { text: `the code ${valueOf('code') ?? ''}`.trim(), ...link };
  if (kind === 'gift')
    return { text: `a gift of ${formatCount(Number(valueOf('months')), 'month')}`, ...link };
  if (kind === 'letter') {
    const text = valueOf('subject') ? `the letter “${valueOf('subject')}”` : 'a letter';
    return { text, ...(id && action !== 'letter.deleted' && { href: `/admin/letters/${id}` }) };
  }
  if (kind === 'artist') {
    const text = `the artist “${name ?? changes.find(({ field }) => field === 'name')?.before ?? ''}”`;
    return { text, ...(name !== null && id && { href: `/admin/artists/${id}` }) };
  }
  if (kind === 'recording') return { text: name === null ? 'a recording' : `“${name}”` };
  if (kind === 'track') {
    if (name === null) return { text: 'a mix' };
    const hasWeek = weekNumber !== null && action !== 'track.moved';
    const text = hasWeek ? `“${name}” (week ${weekNumber})` : `“${name}”`;
    return { text, ...(!isDeleted && id && { href: `/admin/tracks/edit/${id}` }) };
  }
  if (name === null) return { text: 'a deleted account' };
  return { text: name, ...(id && { href: `/admin/subscribers/${id}` }) };
}

/** Longer values go below the sentence. */
const MAX_IN_SENTENCE = 60;

const fits = ({ before, after }: Difference): boolean =>
  [before, after].every(
    (text) => text === null || (text.length <= MAX_IN_SENTENCE && !text.includes('\n')),
  );

/** The only changed value: `changed the title of “Night Bus” from “A” to “B”`. */
function describeOnly({ label, before, after }: Difference, subject: Part, kind: string): Part[] {
  const isSite = kind === 'site';
  const what = isSite ? [{ ...subject, text: label }] : [{ text: `${label} of ` }, subject];
  const [verb, values] =
    before === null
      ? ['set', ` to ${after}`]
      : after === null
        ? ['removed', `, ${before}`]
        : before === after
          ? ['replaced', '']
          : ['changed', ` from ${before} to ${after}`];
  return [{ text: `${verb} the ` }, ...what, { text: values }];
}

function findWords({ action, changes }: AuditEntry): string {
  const has = (field: string, value?: string) =>
    changes.some((change) => change.field === field && (value ?? change.after) === change.after);
  if (action === 'subscription.ended' && has('isImmediate', 'true'))
    return 'ended the subscription of {subject} immediately';
  if (action === 'subscription.ended' && has('isImmediate', 'false'))
    return 'ended the subscription of {subject} at the end of the paid period';
  if (action === 'track.moved' && !has('week'))
    return 'moved {subject} from {year:before} to {year}';
  if (action === 'track.scheduled' && !has('release')) return 'scheduled {subject}';
  return SENTENCES[action] ?? `did “${action.replaceAll(/[.-]/g, ' ')}” to {subject}`;
}

/** An entry as a sentence: `naledi published “Night Bus” (week 46)`. */
export function describeEntry(entry: AuditEntry): Sentence {
  const { action, changes } = entry;
  const start = [describeActor(entry), { text: ' ' }];
  const subject = describeSubject(entry);
  const [only] = changes.map(describeDifference);
  const isEdit = ['track.edited', 'artist.edited', 'settings.changed'].includes(action);
  if (isEdit && only && changes.length === 1 && fits(only))
    return {
      parts: [...start, ...describeOnly(only, subject, entry.subject.kind)],
      differences: [],
    };
  const said = new Set(IMPLIED[action]);
  const parts = findWords(entry)
    .split(/(\{[\w:]+\})/)
    .map((piece): Part => {
      const [, name, isBefore] = /^\{(\w+)(:before)?\}$/.exec(piece) ?? [];
      if (!name) return { text: piece };
      if (name === 'subject') return subject;
      said.add(name);
      const change = changes.find(({ field }) => field === name);
      const value = isBefore ? change?.before : change?.after;
      return { text: value ? describeValue(name, value) : 'an unknown value' };
    });
  return {
    parts: [...start, ...parts].filter(({ text }) => text !== ''),
    differences: changes.filter(({ field }) => !said.has(field)).map(describeDifference),
  };
}
