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
