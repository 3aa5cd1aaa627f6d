/**
 * The VAT contained in an amount, both in cents, rounded half up. The rate is in hundredths of a
 * percent, so that no fraction is lost: 1500 for 15%.
 */
export function vatIn(amount: number, rate: number): number {
  const whole = 10_000 + rate;
  return Math.floor((2 * amount * rate + whole) / (2 * whole));
}

export const toVatRate = (percent: number): number => Math.round(percent * 100);
export const toVatPercent = (rate: number): number => rate / 100;

/** In hundredths of a percent, on a calendar day; null before the first rate. The rates are in order. */
export function findVatRate(
  rates: readonly { percent: number; from: string }[],
  day: string,
): number | null {
  const rate = rates.findLast(({ from }) => from <= day);
  return rate ? toVatRate(rate.percent) : null;
}
