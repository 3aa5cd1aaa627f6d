import type { Plan } from '#contract/rules/plans.ts';
import type { Calendar } from '../payments.ts';
import type { AgreementRow } from './store.ts';

/** A payment that fails is tried again on each of the days of grace, and then no more. */
const ATTEMPTS = 4;

type Moment = { now: number; calendar: Calendar };

/** What an agreement becomes when its payment succeeds. */
export function planSuccess(
  row: AgreementRow,
  plan: Plan,
  { now, calendar }: Moment,
): Partial<AgreementRow> {
  const regular = calendar.addPeriod(row.due_at, plan);
  // After a standstill one payment is due, not one for each month that passed.
  const due = regular > now ? regular : calendar.addPeriod(now, plan);
  return {
    plan,
    next_plan: null,
    status: 'active',
    due_at: due,
    next_charge_at: due,
    next_amount: row.renewal_amount,
    card_uses: row.card_uses + 1,
    failures: 0,
  };
}

/** What it becomes when the bank refuses. */
export function planFailure(row: AgreementRow, { now, calendar }: Moment): Partial<AgreementRow> {
  const failures = row.failures + 1;
  return failures >= ATTEMPTS
    ? { failures, status: 'ended' }
    : { failures, status: 'late', next_charge_at: calendar.addDays(now, 1) };
}
