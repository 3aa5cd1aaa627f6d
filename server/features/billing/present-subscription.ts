import type { Subscription } from '#contract/billing.ts';
import { hasAccess } from '#contract/rules/access.ts';
import { CURRENCY } from '#contract/rules/plans.ts';
import type { Calendar } from '../../ports/payments/payments.ts';
import { findPeriods, type Period } from './paid-through.ts';
import type { AgreementRow, CheckoutRow, LedgerRow } from './queries.ts';
import { amountFor, readCard, readTerms } from './terms.ts';
import { DAY } from '#contract/rules/time.ts';

/** A page that was left open this long ago is not waited for. */
const PENDING_MS = DAY;

export type MemberState = {
  paidThrough: number | null;
  ledger: readonly LedgerRow[];
  agreements: readonly AgreementRow[];
  checkouts: readonly CheckoutRow[];
};

const order: Record<AgreementRow['status'], number> = { active: 0, late: 0, ending: 1, ended: 2 };

/** One that another has replaced is on its way out, whatever the provider says of it yet. */
const rank = ({ status, replaced_by }: AgreementRow): number =>
  replaced_by === null ? order[status] : Math.max(order.ending, order[status]);

/**
 * The agreement a member means by "my subscription"; an ended one only where there is no other. Of
 * another provider than the site uses now none is: nothing can be done about it from here.
 */
export const findCurrent = (
  agreements: readonly AgreementRow[],
  provider: string,
): AgreementRow | null =>
  agreements
    .filter((agreement) => agreement.is_duplicate === 0 && agreement.provider === provider)
    .toSorted((a, b) => rank(a) - rank(b) || b.started_at - a.started_at)[0] ?? null;

const isAgreementRenewing = ({ status }: AgreementRow): boolean =>
  status === 'active' || status === 'late';

/** What another provider may still charge: it can only be cancelled there. */
const findElsewhere = (agreements: readonly AgreementRow[], provider: string) =>
  agreements
    .filter((row) => row.provider !== provider && isAgreementRenewing(row))
    .map((row) => ({ provider: row.provider, plan: row.plan }));

function findStatus(
  current: AgreementRow | null,
  last: Period<LedgerRow> | undefined,
  isOn: boolean,
  wasEver: boolean,
): Subscription['status'] {
  if (!isOn) return wasEver ? 'ended' : 'free';
  const isRunning = current !== null && current.status !== 'ended';
  if (isRunning && current.status === 'late') return 'late';
  if (isRunning && current.status === 'ending') return 'cancelled';
  const isFree = last?.fact.kind === 'trial' || last?.fact.kind === 'coupon';
  if (isRunning) return isFree ? 'trial' : 'active';
  return last?.fact.kind === 'charge' ? 'cancelled' : 'complimentary';
}

function findNextPayment(current: AgreementRow | null): Subscription['nextPayment'] {
  if (!current || current.next_charge_at === null) return null;
  if (current.status !== 'active' && current.status !== 'late') return null;
  const plan = current.next_plan ?? current.plan;
  const amount = current.next_amount ?? amountFor(readTerms(current.terms), plan);
  return amount === null ? null : { at: current.next_charge_at, amount, plan };
}

function findProblem(running: AgreementRow | null): Subscription['problem'] {
  if (!running || running.problem_since === null) return null;
  return { since: running.problem_since, message: running.problem ?? 'The payment failed.' };
}

export function presentSubscription(
  { paidThrough, ledger, agreements, checkouts }: MemberState,
  {
    now,
    graceMs,
    calendar,
    provider,
  }: { now: number; graceMs: number; calendar: Calendar; provider: string },
): Subscription {
  const current = findCurrent(agreements, provider);
  const last = findPeriods(ledger, calendar).at(-1);
  const isOn = hasAccess(paidThrough, now, graceMs);
  const running = current?.status === 'ended' ? null : current;
  const pending = checkouts.find(
    ({ state, created_at }) => state === 'open' && created_at > now - PENDING_MS,
  );
  return {
    status: findStatus(current, last, isOn, paidThrough !== null || ledger.length > 0),
    hasAccess: isOn,
    plan: running?.plan ?? last?.fact.plan ?? null,
    currency: CURRENCY,
    paidThrough,
    accessUntil: paidThrough === null ? null : paidThrough + graceMs,
    nextPayment: findNextPayment(current),
    nextPlan: running?.next_plan ?? null,
    card: readCard(running?.card ?? null),
    problem: findProblem(running),
    canResume: running?.status === 'ending' && paidThrough !== null && now < paidThrough,
    pendingReference: pending?.reference ?? null,
    elsewhere: findElsewhere(agreements, provider),
  };
}
