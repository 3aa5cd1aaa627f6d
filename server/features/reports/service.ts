import { z } from 'zod';
import type { Figure, FigureListPage, Report, ReportName, ReportQuery } from '#contract/reports.ts';
import { DEFAULT_PAGE_SIZE, type PageQuery } from '#contract/paging.ts';
import { dayOf } from '#contract/rules/days.ts';
import {
  addDays,
  findRangeProblem,
  periodBefore,
  type DayRange,
} from '#contract/rules/report-days.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../http/app-error.ts';
import { decodeCursor, slicePage } from '../../http/paginate.ts';
import { reports } from './report-list.ts';
import type { FigureDefinition, Reading, ReportContext, ReportDefinition } from './report.ts';

export { readPulse } from './dashboard.ts';

const Position = z.tuple([z.string().max(32), z.string().regex(/^[\w:~-]{1,64}$/)]);

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

type Asked = { range: DayRange; trackId: string | null };

/** The same days and the same mix, wherever a number leads. */
function hrefOf(
  name: ReportName,
  key: string,
  { list, opens }: FigureDefinition,
  { range: { from, to }, trackId }: Asked,
): string | null {
  const asked = { from, to, ...(trackId !== null && { track: trackId }) };
  if (list)
    return `/admin/reports/list?${new URLSearchParams({ report: name, figure: key, ...asked }).toString()}`;
  return opens
    ? `/admin/reports?${new URLSearchParams({ report: opens, ...asked }).toString()}`
    : null;
}

type Readings = Asked & { reading: Reading; earlier: Reading | null };

const describeFigures = (name: ReportName, { reading, earlier, ...asked }: Readings): Figure[] =>
  Object.entries(reports[name].figures).map(([key, figure]) => ({
    key,
    label: figure.label,
    definition: figure.definition,
    unit: figure.unit,
    isGoodWhen: figure.isGoodWhen ?? null,
    href: hrefOf(name, key, figure, asked),
    value: reading.values[key] ?? null,
    previous: earlier?.values[key] ?? null,
  }));

const titleOf = ({ title }: ReportDefinition, { subject }: Reading): string =>
  subject ? `${title}: ${subject}` : title;

function readContext({ database, clock, config }: Deps, query: ReportQuery) {
  const now = clock.now();
  const { timeZone } = config;
  const today = dayOf(now, timeZone);
  const trackId = query.track ?? null;
  const context: ReportContext = { db: database.db, now, today, timeZone, trackId };
  return { context, range: readRange(query, today) };
}

export async function readReport(
  deps: Deps,
  name: ReportName,
  query: ReportQuery,
): Promise<Report> {
  const definition = reports[name];
  const { context, range } = readContext(deps, query);
  const compares = definition.compares !== 'nothing';
  const before = compares ? periodBefore(range) : null;
  const reading = await definition.read(context, range);
  const earlier = before ? await definition.read(context, before) : null;
  return {
    name,
    title: titleOf(definition, reading),
    definition: definition.definition,
    ...range,
    before,
    plot: definition.plot,
    figures: describeFigures(name, { range, trackId: context.trackId, reading, earlier }),
    columns: [...definition.columns],
    rows: reading.rows,
    rowsBefore: definition.compares === 'rows' ? (earlier?.rows ?? null) : null,
  };
}

/** Each row is one of those that the figure has counted. */
export async function readFigureList(
  deps: Deps,
  name: ReportName,
  key: string,
  { cursor, limit = DEFAULT_PAGE_SIZE, ...query }: ReportQuery & PageQuery,
): Promise<FigureListPage> {
  const definition = reports[name];
  const { figures } = definition;
  const list = Object.hasOwn(figures, key) ? figures[key]?.list : undefined;
  if (!list) throw new AppError('not_found', { message: 'There is no list behind this number.' });
  const { context, range } = readContext(deps, query);
  const after = cursor ? decodeCursor(Position, cursor) : null;
  const found = await list.read(context, range, { after, limit: limit + 1 });
  const { rows, nextCursor } = slicePage(found, limit, (last) => last.position);
  const reading = await definition.read(context, range);
  const { trackId } = context;
  const [figure] = describeFigures(name, { range, trackId, reading, earlier: null }).filter(
    (one) => one.key === key,
  );
  if (!figure) throw new AppError('not_found');
  return {
    report: titleOf(definition, reading),
    figure,
    ...range,
    columns: [...list.columns],
    items: rows.map(({ row }) => row),
    nextCursor,
  };
}
