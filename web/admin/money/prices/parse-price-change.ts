import type { z } from 'zod';
import type { NewPriceChange } from '#contract/admin/prices.ts';
import { parseZoned } from '#contract/rules/zoned-time.ts';
import { readText } from '#web/ui/forms/parse-form.ts';

const toNumber = (text: string): number => (text.trim() === '' ? Number.NaN : Number(text));

/** The values of the form as the contract names them, not yet validated. A day starts at midnight. */
export function parsePriceChange(
  form: FormData,
  timeZone: string,
): Record<keyof z.input<typeof NewPriceChange>, unknown> {
  return {
    plan: readText(form, 'plan'),
    amount: Math.round(toNumber(readText(form, 'amount')) * 100),
    startsAt: parseZoned(`${readText(form, 'startsAt')}T00:00`, timeZone) ?? Number.NaN,
    noticeDays: toNumber(readText(form, 'noticeDays')),
  };
}
