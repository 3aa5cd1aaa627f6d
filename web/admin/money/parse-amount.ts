/**
 * Cents of an amount as people type it: `1250`, `99,50`, `1 250.00`. Anything else is no number; that
 * of `1,234` would be a guess.
 */
export function parseAmount(text: string): number {
  const typed = text.replace(/\s/g, '');
  if (!/^-?\d+([.,]\d{1,2})?$/.test(typed)) return Number.NaN;
  return Math.round(Number(typed.replace(',', '.')) * 100);
}
