import { z } from 'zod';
import type {
  Figure,
  FigureListPage,
  Report,
  ReportName,
  ReportQuery,
} from '#contract/admin/reports.ts';
import { DEFAULT_PAGE_SIZE, type PageQuery } from '#contract/paging.ts';
import { dayOf } from '#contract/rules/days.ts';
import {
  addDays,
  findPreviousRange,
  findRangeProblem,
  type DayRange,
} from '#contract/rules/report-days.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../http/route/app-error.ts';
import type { Viewer } from '../../http/route/guards.ts';
import { decodeCursor, slicePage } from '../../http/route/paginate.ts';
import { recordAction } from '../audit/service.ts';
import { reports } from './report-list.ts';
import type {
  FigureDefinition,
  FigureList,
  ListCursor,
  ReportContext,
  ReportData,
  ReportDefinition,
} from './report.ts';

export { findLiveListeners } from './live-report.ts';
export { listSiteDays } from './play-sums.ts';
export { sumReach } from './completion-report.ts';

const Cursor = z.tuple([z.string().max(32), z.string().regex(/^[\w:~-]{1,64}$/)]);

/** For a request without a date range. */
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

type Scope = { range: DayRange; trackId: string | null };

/** A number links to its details for the same period and track. */
function hrefOf(
  name: ReportName,
  key: string,
  { list, opensReport }: FigureDefinition,
  { range: { from, to }, trackId }: Scope,
): string | null {
  const scope = { from, to, ...(trackId !== null && { track: trackId }) };
  if (list)
    return `/admin/reports/list?${new URLSearchParams({ report: name, figure: key, ...scope }).toString()}`;
  return opensReport
    ? `/admin/reports?${new URLSearchParams({ report: opensReport, ...scope }).toString()}`
    : null;
}

type FigureContext = Scope & { data: ReportData; previous: ReportData | null };

const describeFigures = (name: ReportName, { data, previous, ...scope }: FigureContext): Figure[] =>
  Object.entries(reports[name].figures).map(([key, figure]) => ({
    key,
    label: figure.label,
    definition: figure.definition,
    unit: figure.unit,
    isGoodWhen: figure.isGoodWhen ?? null,
    href: hrefOf(name, key, figure, scope),
    value: data.values[key] ?? null,
    previous: previous?.values[key] ?? null,
  }));

const titleOf = ({ title }: ReportDefinition, { subject }: ReportData): string =>
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
  const previousRange = compares ? findPreviousRange(range) : null;
  const data = await definition.read(context, range);
  const previous = previousRange ? await definition.read(context, previousRange) : null;
  return {
    name,
    title: titleOf(definition, data),
    definition: definition.definition,
    ...range,
    previousRange,
    plot: definition.plot,
    figures: describeFigures(name, { range, trackId: context.trackId, data, previous }),
    columns: [...definition.columns, ...(data.moreColumns ?? [])],
    rows: data.rows,
    previousRows: definition.compares === 'rows' ? (previous?.rows ?? null) : null,
  };
}

function findList(name: ReportName, key: string): FigureList {
  const { figures } = reports[name];
  const list = Object.hasOwn(figures, key) ? figures[key]?.list : undefined;
  if (!list) throw new AppError('not_found', { message: 'This figure has no list.' });
  return list;
}

/** One row for everything the figure counted. */
export async function readFigureList(
  deps: Deps,
  name: ReportName,
  key: string,
  { cursor, limit = DEFAULT_PAGE_SIZE, ...query }: ReportQuery & PageQuery,
): Promise<FigureListPage> {
  const definition = reports[name];
  const list = findList(name, key);
  const { context, range } = readContext(deps, query);
  const after = cursor ? decodeCursor(Cursor, cursor) : null;
  const found = await list.read(context, range, { after, limit: limit + 1 });
  const { rows, nextCursor } = slicePage(found, limit, (last) => last.cursor);
  const data = await definition.read(context, range);
  const { trackId } = context;
  const [figure] = describeFigures(name, { range, trackId, data, previous: null }).filter(
    (one) => one.key === key,
  );
  if (!figure) throw new AppError('not_found');
  return {
    report: titleOf(definition, data),
    figure,
    ...range,
    columns: [...list.columns],
    items: rows.map(({ row }) => row),
    nextCursor,
  };
}

const ROWS_AT_ONCE = 200;

async function* readAllRows(list: FigureList, context: ReportContext, range: DayRange) {
  for (let after: ListCursor | null = null; ;) {
    const found = await list.read(context, range, { after, limit: ROWS_AT_ONCE });
    yield* found.map(({ row }) => row);
    const last = found.at(-1);
    if (!last || found.length < ROWS_AT_ONCE) return;
    after = last.cursor;
  }
}

type ExportInput = { name: ReportName; figure: string; query: ReportQuery };

/** The whole list behind a figure. In the audit log, because it names people and their addresses. */
export async function exportFigureList(
  deps: Deps,
  viewer: Viewer,
  { name, figure, query }: ExportInput,
) {
  const list = findList(name, figure);
  const { context, range } = readContext(deps, query);
  const title = `${reports[name].title}: ${reports[name].figures[figure]?.label}`;
  await deps.database.db.transaction().execute((tx) =>
    recordAction(
      tx,
      {
        actor: viewer,
        action: 'list.exported',
        subject: { kind: 'site' },
        after: { list: title, ...range },
      },
      context.now,
    ),
  );
  return { title, ...range, columns: list.columns, rows: readAllRows(list, context, range) };
}
