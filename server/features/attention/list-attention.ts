import { sql } from 'kysely';
import type { PaymentIssue } from '#contract/admin/payment-issues.ts';
import { formatDayAndTime } from '#contract/rules/format.ts';
import type { Db } from '../../db/connect.ts';
import type { Deps } from '../../deps.ts';
import { listPausedNames } from '../jobs/service.ts';
import { countRefused } from '../letters/service.ts';
import { countSharingUsers } from '../networks/service.ts';
import { listOpenIssues } from '../payment-issues/service.ts';
import { listMissingSellerData } from '../settings/service.ts';
import { plural, type AttentionItem } from './check.ts';
import { listAlarms } from './site-checks.ts';

const count = sql<number>`count(*)`.as('count');

const countFailedTracks = (db: Db) =>
  db
    .selectFrom('tracks')
    .select(count)
    .where('status', '=', 'failed')
    .where('deleted_at', 'is', null)
    .executeTakeFirst();

const countUsersWithFailedPayments = (db: Db) =>
  db
    .selectFrom('subscriptions')
    .select(count)
    .where('status', 'in', ['late', 'needs_member'])
    .executeTakeFirst();

const countDeadJobs = (db: Db) =>
  db.selectFrom('jobs').select(count).where('state', '=', 'dead').executeTakeFirst();

/** On a site that takes real payments the law wants to know who sells. */
async function describeIncompleteSeller(deps: Deps): Promise<AttentionItem[]> {
  const missing = await listMissingSellerData(deps);
  if (missing.length === 0) return [];
  const text = `Your seller details are incomplete: ${missing.join(', ')} missing.`;
  return [
    { kind: 'seller-incomplete', count: missing.length, text, href: '/admin/settings/seller' },
  ];
}

const providerNames: Record<string, string> = { paystack: 'Paystack', stripe: 'Stripe' };

const ISSUE_ORDER = [
  'wrong-key',
  'checkout-refused',
  'dispute',
  'dispute-lost',
  'renewals-overdue',
  'payment-unsettled',
  'refund-failed',
  'other-amount',
  'unknown-charge',
  'refund-at-provider',
  'shadow-differs',
] as const satisfies readonly PaymentIssue['kind'][];

type IssueSentence = (issues: readonly PaymentIssue[], timeZone: string) => string;

const issueSentences: Record<PaymentIssue['kind'], IssueSentence> = {
  'wrong-key': ([issue]) =>
    `${providerNames[issue?.provider ?? ''] ?? 'The payment provider'} refuses our key: nobody’s subscription changes until it’s right.`,
  'checkout-refused': ([issue]) =>
    `${providerNames[issue?.provider ?? ''] ?? 'The payment provider'} refuses our checkouts: nobody can subscribe.`,
  dispute: (issues, timeZone) => {
    const due = issues.flatMap(({ dueAt }) => dueAt ?? []).toSorted((a, b) => a - b)[0];
    const by = due === undefined ? '' : ` by ${formatDayAndTime(due, timeZone)}`;
    return issues.length === 1
      ? `1 dispute to answer${by}.`
      : `${issues.length} disputes to answer${due === undefined ? '' : `, the first${by}`}.`;
  },
  'dispute-lost': ({ length }) =>
    `${plural(length, 'dispute was', 'disputes were')} lost before anybody here saw ${length === 1 ? 'it' : 'them'}.`,
  'other-amount': ({ length }) =>
    `${plural(length, 'payment wasn’t', 'payments weren’t')} the agreed amount.`,
  'renewals-overdue': () => 'Payments have been due for more than 12 hours.',
  'payment-unsettled': ({ length }) =>
    `${plural(length, 'charge has', 'charges have')} had no answer for a day.`,
  'refund-failed': ({ length }) => `${plural(length, 'refund', 'refunds')} failed at the bank.`,
  'unknown-charge': ({ length }) => `${plural(length, 'payment', 'payments')} we can’t explain.`,
  'refund-at-provider': ({ length }) =>
    `${plural(length, 'payment was', 'payments were')} refunded at the provider, not here.`,
  'shadow-differs': ({ length }) =>
    `${plural(length, 'subscription', 'subscriptions')} in shadow differed from what we would charge.`,
};

/** Open payment issues by kind; the urgent kinds come first. */
async function describeIssues({ database, config }: Deps): Promise<AttentionItem[]> {
  const issues = await listOpenIssues(database.db);
  return ISSUE_ORDER.flatMap((kind) => {
    const own = issues.filter((issue) => issue.kind === kind);
    if (own.length === 0) return [];
    const text = issueSentences[kind](own, config.timeZone);
    return [{ kind, count: own.length, text, href: '/admin/payments' }];
  });
}

/** Problems an administrator has to fix; empty on a good day. */
export async function listAttention(deps: Deps): Promise<AttentionItem[]> {
  const { db } = deps.database;
  const failed = (await countFailedTracks(db))?.count ?? 0;
  const late = (await countUsersWithFailedPayments(db))?.count ?? 0;
  const dead = (await countDeadJobs(db))?.count ?? 0;
  const letters = await countRefused(db);
  const sharing = await countSharingUsers(db, deps.clock.now());
  const paused = await listPausedNames(db);
  const all: AttentionItem[] = [
    ...(await listAlarms(db)),
    ...(await describeIssues(deps)),
    {
      kind: 'failed-ingest',
      count: failed,
      text: `${plural(failed, 'mix', 'mixes')} failed to process.`,
      href: '/admin/tracks?state=failed',
    },
    {
      kind: 'failed-payments',
      count: late,
      text: `${plural(late, 'member has', 'members have')} a failed payment.`,
      href: '/admin/subscribers?filter=late',
    },
    {
      kind: 'dead-jobs',
      count: dead,
      text: `${plural(dead, 'job has', 'jobs have')} failed permanently.`,
      href: '/admin/jobs',
    },
    {
      kind: 'refused-letters',
      count: letters,
      text: `${plural(letters, 'planned letter', 'planned letters')} couldn’t go out.`,
      href: '/admin/letters',
    },
    {
      kind: 'shared-access',
      count: sharing,
      text: `${plural(sharing, 'member’s podcast address or music app is', 'members’ podcast addresses or music apps are')} used from many networks.`,
      href: '/admin/subscribers?filter=shared',
    },
    {
      kind: 'paused-jobs',
      count: paused.length,
      text: `Paused until you let them go on: ${paused.join(', ')}.`,
      href: '/admin/jobs?state=waiting',
    },
    ...(await describeIncompleteSeller(deps)),
  ];
  return all.filter((item) => item.count > 0);
}
