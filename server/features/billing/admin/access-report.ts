import type { AccessReport } from '#contract/admin/billing.ts';
import { hasAccess } from '#contract/rules/access.ts';
import { formatDate } from '#contract/rules/format.ts';
import type { Deps } from '../../../deps.ts';
import { readGraceMs } from '../../../http/route/access-policy.ts';
import { AppError } from '../../../http/route/app-error.ts';
import type { Viewer } from '../../../http/route/guards.ts';
import type { Calendar } from '../../../ports/payments/payments.ts';
import { recordAction } from '../../audit/service.ts';
import { toLedgerContext } from '../ledger/ledger-entries.ts';
import { findPeriods, type Period } from '../ledger/paid-through.ts';
import { endAccess, grantAccess } from '../ledger/service.ts';
import { listLedgerEntries, type LedgerEntry } from '../queries.ts';

type ReportContext = { at: number; graceMs: number; calendar: Calendar; timeZone: string };

function explain(
  ledger: readonly LedgerEntry[],
  periods: readonly Period<LedgerEntry>[],
  { at, graceMs, timeZone }: ReportContext,
): string {
  const day = (time: number) => formatDate(time, timeZone);
  const last = periods.at(-1);
  const covering = periods.find(({ from, to }) => from <= at && at < to);
  if (covering)
    return `${covering.entry.reason} Covers ${day(covering.from)} to ${day(covering.to)}.`;
  if (last && at < last.to) return `${last.entry.reason} Covers until ${day(last.to)}.`;
  if (last && hasAccess(last.to, at, graceMs))
    return `Paid access ended on ${day(last.to)}; grace period until ${day(last.to + graceMs)}.`;
  const loss = ledger.findLast(({ kind }) => ['refund', 'dispute', 'end'].includes(kind));
  if (loss) return loss.reason;
  if (last) return `Paid access ended on ${day(last.to)} and the grace period is over.`;
  const refused = ledger.findLast(({ kind }) => kind === 'charge-refused');
  return refused ? `${refused.reason} It gives no access.` : 'No payments or grants on record.';
}

/** Whether a user had access at a time, from what was recorded by then, under today's rules. */
export function explainAccess(all: readonly LedgerEntry[], context: ReportContext): AccessReport {
  const { at, graceMs, calendar } = context;
  const ledger = all.filter(({ recorded_at }) => recorded_at <= at);
  const periods = findPeriods(ledger, calendar);
  const paidThrough = periods.at(-1)?.to ?? null;
  return {
    at,
    hasAccess: hasAccess(paidThrough, at, graceMs),
    reason: explain(ledger, periods, context),
    paidThrough,
    accessUntil: paidThrough === null ? null : paidThrough + graceMs,
    entries: ledger.map((entry) => ({
      seq: entry.seq,
      kind: entry.kind,
      at: entry.at,
      recordedAt: entry.recorded_at,
      plan: entry.plan,
      amount: entry.amount,
      currency: entry.currency,
      chargeId: entry.charge_id,
      reason: entry.reason,
      actor: entry.actor,
    })),
  };
}

async function requireUser({ database }: Deps, userId: string) {
  const user = await database.db
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .executeTakeFirst();
  if (!user) throw new AppError('not_found');
}

export async function getAccessReport(
  deps: Deps,
  userId: string,
  at: number = deps.clock.now(),
): Promise<AccessReport> {
  await requireUser(deps, userId);
  return explainAccess(await listLedgerEntries(deps.database.db, userId), {
    at,
    graceMs: await readGraceMs(deps),
    calendar: deps.payments.calendar,
    timeZone: deps.config.timeZone,
  });
}

type AccessChange = { do: 'grant'; until: number; reason: string } | { do: 'end'; reason: string };

export async function changeAccess(
  deps: Deps,
  viewer: Viewer,
  userId: string,
  change: AccessChange,
): Promise<AccessReport> {
  await requireUser(deps, userId);
  const context = toLedgerContext(deps);
  const { reason } = change;
  const actor = viewer.user.id;
  await deps.database.db.transaction().execute(async (tx) => {
    if (change.do === 'end') await endAccess(tx, userId, { reason, actor }, context);
    else await grantAccess(tx, userId, { until: change.until, reason, actor }, context);
    const action = change.do === 'end' ? 'access.ended' : 'access.granted';
    const after = change.do === 'end' ? {} : { until: new Date(change.until).toISOString() };
    const subject = { kind: 'user' as const, id: userId };
    await recordAction(tx, { actor: viewer, action, subject, after, reason }, context.now);
  });
  deps.jobs.wake();
  return getAccessReport(deps, userId);
}
