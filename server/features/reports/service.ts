import type { Figure, Report, ReportName, ReportQuery } from '#contract/reports.ts';
import { dayOf } from '#contract/rules/days.ts';
import {
  addDays,
  findRangeProblem,
  periodBefore,
  type DayRange,
} from '#contract/rules/report-days.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../http/app-error.ts';
import { reports } from './report-list.ts';
import type { Reading, ReportContext, ReportDefinition } from './report.ts';

/** What is shown to who asks for no days. */
const DEFAULT_DAYS = 30;

function readRange({ from, to }: ReportQuery, today: string): DayRange {
  const end = to ?? today;
  const range = {
    from: from ?? addDays(from === undefined && to === undefined ? today : end, 1 - DEFAULT_DAYS),
    to: end,
  };
  const problem = findRangeProblem(range, today);
  if (problem)
    throw new AppError('validation_failed', { message: problem, fields: { from: problem } });
  return range;
}

const describeFigures = (
  { figures }: ReportDefinition,
  now: Reading,
  before: Reading | null,
): Figure[] =>
  Object.entries(figures).map(([key, figure]) => ({
    isGoodWhen: null,
    href: null,
    ...figure,
    key,
    value: now.values[key] ?? null,
    previous: before?.values[key] ?? null,
  }));

export async function readReport(
  { database, clock, config }: Deps,
  name: ReportName,
  query: ReportQuery,
): Promise<Report> {
  const definition = reports[name];
  const now = clock.now();
  const today = dayOf(now, config.timeZone);
  const range = readRange(query, today);
  const context: ReportContext = {
    db: database.db,
    now,
    today,
    timeZone: config.timeZone,
    trackId: query.track ?? null,
  };
  const compares = definition.compares !== 'nothing';
  const before = compares ? periodBefore(range) : null;
  const reading = await definition.read(context, range);
  const earlier = before ? await definition.read(context, before) : null;
  return {
    name,
    title: reading.subject ? `${definition.title}: ${reading.subject}` : definition.title,
    definition: definition.definition,
    ...range,
    before,
    plot: definition.plot,
    figures: describeFigures(definition, reading, earlier),
    columns: [...definition.columns],
    rows: reading.rows,
    rowsBefore: definition.compares === 'rows' ? (earlier?.rows ?? null) : null,
  };
}
