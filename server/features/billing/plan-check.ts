import type { Calendar } from '../../ports/payments/payments.ts';
import type { AgreementRow } from './queries.ts';

const HOUR = 1 / 24;
const WEEK = 7;
/** A bank may take money back this long after the last payment. */
const DISPUTE_DAYS = 120;

/** When the provider is asked again without having said anything: the nearer the money, the sooner. */
export function planCheck(
  { status, next_charge_at: next, is_duplicate, replaced_by, updated_at }: AgreementRow,
  now: number,
  calendar: Calendar,
): number | null {
  if (status === 'ended')
    return now < calendar.addDays(updated_at, DISPUTE_DAYS) ? calendar.addDays(now, WEEK) : null;
  const isNear = next !== null && next <= calendar.addDays(now, 1);
  const isLeaving = is_duplicate === 1 || (replaced_by !== null && status === 'active');
  const isSoon = status === 'late' || isLeaving || isNear;
  return calendar.addDays(now, isSoon ? HOUR : 1);
}
