import { FileEndValues } from '#contract/admin/file-ends.ts';
import type { FileEnds } from '#contract/rules/allowed-files.ts';
import { dayOf } from '#contract/rules/days.ts';
import { parseZoned } from '#contract/rules/zoned-time.ts';
import { fieldErrors, type ParsedForm } from '#web/ui/forms/parse-form.ts';

export const END_NAMES = ['downloadsEnd', 'losslessEnd', 'savingEnd'] as const;

/** `on`, `now`, or the day on which it ends: empty until one is chosen. */
export type TypedEnd = string;
export type TypedEnds = Record<keyof FileEnds, TypedEnd> & { reason: string };

/** By the server’s time, not by what the browser’s clock says. */
type Saved = FileEnds & { now: number };

const toTyped = (end: number | null, now: number, timeZone: string): TypedEnd =>
  end === null ? 'on' : end <= now ? 'now' : dayOf(end, timeZone);

export const toTypedEnds = (
  { downloadsEnd, losslessEnd, savingEnd, now }: Saved,
  timeZone: string,
): TypedEnds => ({
  downloadsEnd: toTyped(downloadsEnd, now, timeZone),
  losslessEnd: toTyped(losslessEnd, now, timeZone),
  savingEnd: toTyped(savingEnd, now, timeZone),
  reason: '',
});

/** What has passed means now: the server knows when that is. */
const toEnd = (typed: TypedEnd, timeZone: string): number | null =>
  typed === 'on'
    ? null
    : typed === 'now'
      ? 0
      : (parseZoned(`${typed}T00:00`, timeZone) ?? Number.NaN);

/** What to save, or what is wrong with it. An end that wasn’t touched stays as it is, to the second. */
export function parseTypedEnds(
  typed: TypedEnds,
  saved: Saved,
  timeZone: string,
): ParsedForm<FileEnds & { reason?: string }> {
  const before = toTypedEnds(saved, timeZone);
  const parsed = FileEndValues.safeParse(
    Object.fromEntries(
      END_NAMES.map((name) => [
        name,
        typed[name] === before[name] ? saved[name] : toEnd(typed[name], timeZone),
      ]),
    ),
  );
  if (!parsed.success) return { errors: fieldErrors(parsed.error.issues) };
  const reason = typed.reason.trim();
  return { data: { ...parsed.data, ...(reason && { reason }) } };
}
