import { useState, type FormEvent } from 'react';
import type { BookMonths } from '#contract/admin/books.ts';
import {
  findPeriodProblem,
  listPeriods,
  parsePeriod,
  type PeriodKind,
} from '#contract/admin/book-periods.ts';
import { addDays } from '#contract/rules/report-days.ts';
import { formatMonth, formatShortDate } from '#web/lib/format/format.ts';
import { readText } from '#web/ui/forms/parse-form.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/forms/field.tsx';
import { Select } from '#web/ui/forms/select.tsx';

const kindLabels: Record<PeriodKind, string> = {
  month: 'Month',
  vat: 'VAT period',
  year: 'Financial year',
  range: 'Other dates',
};

/** `Nov 2026`, `Nov 2026 to Dec 2026` or `15 Oct 2026 to 14 Nov 2026`. */
function describePeriod(period: string): string {
  const { from, to } = parsePeriod(period);
  if (!period.includes('_')) return formatMonth(from);
  const isWhole = from.endsWith('-01') && addDays(to, 1).endsWith('-01');
  const format = isWhole ? formatMonth : formatShortDate;
  return `${format(from)} to ${format(to)}`;
}

type Chosen = { kind: PeriodKind; period: string };

/** What the address asks for, or the newest period of its kind. */
export function findChosen(
  books: BookMonths,
  { by, period }: { by: string | null; period: string | null },
): Chosen {
  const kind = by !== null && by in kindLabels ? (by as PeriodKind) : 'month';
  const [newest = ''] = books.months;
  if (kind === 'range') {
    const isValid = period !== null && findPeriodProblem(period) === null;
    return { kind, period: isValid ? period : newest };
  }
  const periods = listPeriods(kind, books.months, books);
  return { kind, period: periods.find((one) => one === period) ?? periods[0] ?? newest };
}

type PeriodChoiceProps = { books: BookMonths; chosen: Chosen; onChoose: (chosen: Chosen) => void };

export function PeriodChoice({ books, chosen, onChoose }: PeriodChoiceProps) {
  const { kind, period } = chosen;
  return (
    <div className="flex flex-wrap items-end gap-x-3 gap-y-2.5">
      <Select
        label="Kind of period"
        value={kind}
        onValueChange={(value) => {
          const next = value as PeriodKind;
          const { from, to } = parsePeriod(period);
          onChoose(
            next === 'range'
              ? { kind: next, period: `${from}_${to}` }
              : { kind: next, period: listPeriods(next, books.months, books)[0] ?? period },
          );
        }}
        options={Object.entries(kindLabels).map(([value, label]) => ({ value, label }))}
      />
      {kind === 'range' ? (
        <DayChoice
          key={period}
          period={period}
          onChoose={(range) => onChoose({ kind, period: range })}
        />
      ) : (
        <Select
          label="Period"
          value={period}
          onValueChange={(value) => onChoose({ kind, period: value })}
          options={listPeriods(kind, books.months, books).map((value) => ({
            value,
            label: describePeriod(value),
          }))}
        />
      )}
    </div>
  );
}

function DayChoice({ period, onChoose }: { period: string; onChoose: (period: string) => void }) {
  const { from, to } = parsePeriod(period);
  const [problem, setProblem] = useState<string | null>(null);
  function show(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const typed = `${readText(form, 'from')}_${readText(form, 'to')}`;
    const found = findPeriodProblem(typed);
    setProblem(found);
    if (found === null) onChoose(typed);
  }
  return (
    <form noValidate onSubmit={show} className="flex flex-wrap items-end gap-3">
      <Field label="From" name="from" type="date" defaultValue={from} className="w-40!" />
      <Field
        label="To"
        name="to"
        type="date"
        defaultValue={to}
        className="w-40!"
        error={problem ?? undefined}
      />
      <Button type="submit" variant="line">
        Show
      </Button>
    </form>
  );
}
