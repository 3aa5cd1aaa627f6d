import { formatPeriod, parsePeriod } from '#contract/admin/book-periods.ts';
import {
  CHANGES_SHOWN,
  findReportProblem,
  layoutNames,
  type UsageChange,
  type UsageChanges,
  type UsageOutlook,
  type UsageReport,
  type UsageReportForm,
  type UsageTotals,
} from '#contract/admin/usage-reports.ts';
import type { Page, PageQuery } from '#contract/paging.ts';
import { dayOf } from '#contract/rules/days.ts';
import { CURRENCY } from '#contract/rules/plans.ts';
import type { Tx } from '../../db/connect.ts';
import { newId } from '../../db/ids.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../http/route/app-error.ts';
import type { Viewer } from '../../http/route/guards.ts';
import { toFileName } from '../../http/send/attachment.ts';
import { CSV_TYPE, type CsvTable } from '../../http/send/csv.ts';
import type { SendableFile } from '../../http/send/send-file.ts';
import { enqueue } from '../../jobs/queue.ts';
import { hasRoomForFiles } from '../../ports/storage/disk-space.ts';
import { hashStored } from '../../ports/storage/hash-file.ts';
import { recordAction } from '../audit/service.ts';
import { readTotals } from '../books/service.ts';
import { compareLines } from './compare-lines.ts';
import { makeUsageReport } from './jobs.ts';
import { findOutlook } from './outlook.ts';
import {
  findByRequest,
  findLastReady,
  findNextNumber,
  findReport,
  findUnfinished,
  findUsageDays,
  insertReport,
  listReports,
  type NamedReport,
} from './queries.ts';
import { hashReport, openSnapshot } from './snapshot.ts';

const present = (row: NamedReport): UsageReport => ({
  id: row.id,
  number: row.number,
  from: row.from_day,
  to: row.to_day,
  layout: row.layout,
  state: row.state,
  madeAt: row.made_at,
  madeBy: row.maker,
  territory: row.territory,
  currency: row.currency,
  revenue: { calculated: row.revenue_calculated, confirmed: row.revenue_confirmed },
  totals: row.totals === null ? null : (JSON.parse(row.totals) as UsageTotals),
  sha256: row.sha256,
  size: row.size,
  previous: row.previous,
});

export async function readReports({ database }: Deps, page: PageQuery): Promise<Page<UsageReport>> {
  const { rows, nextCursor } = await listReports(database.db, page);
  return { items: rows.map(present), nextCursor };
}

export async function readPeriods({ database, clock, config }: Deps) {
  const { first, last } = await findUsageDays(database.db);
  return { today: dayOf(clock.now(), config.timeZone), firstDay: first, lastDay: last };
}

async function requirePeriod(deps: Deps, period: string) {
  const message = findReportProblem(period, await readPeriods(deps));
  if (message !== null)
    throw new AppError('validation_failed', { message, fields: { period: message } });
  return parsePeriod(period);
}

export async function readOutlook(deps: Deps, period: string): Promise<UsageOutlook> {
  return findOutlook(deps, await requirePeriod(deps, period));
}

/** More often than once, somebody else took the number at the same time. */
const MAX_TRIES = 5;

export async function makeReport(
  deps: Deps,
  viewer: Viewer,
  form: UsageReportForm,
): Promise<UsageReport> {
  const { database, clock } = deps;
  const period = await requirePeriod(deps, form.period);
  if (!(await hasRoomForFiles(deps))) throw new AppError('disk_full');
  const { net } = await readTotals(deps, period);
  const subject = {
    request: form.request,
    from_day: period.from,
    to_day: period.to,
    layout: form.layout,
    territory: form.territory,
    revenue_confirmed: form.revenue,
  };
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const id = await database.db.transaction().execute(async (tx) => {
      // Read first: a report that is begun after the look at the unfinished ones takes this number.
      const number = await findNextNumber(tx);
      const same =
        (await findByRequest(tx, subject.request)) ?? (await joinUnfinished(tx, subject));
      if (same) return same.id;
      const now = clock.now();
      const report = {
        ...subject,
        id: newId(now),
        number,
        currency: CURRENCY,
        revenue_calculated: net.excluding,
        state: 'making' as const,
        made_at: now,
        made_by: viewer.user.id,
        previous_id: await findLastReady(tx, subject),
        totals: null,
        file_key: null,
        snapshot_key: null,
        sha256: null,
        size: null,
      };
      if (!(await insertReport(tx, report))) return null;
      await enqueue(tx, makeUsageReport, { id: report.id }, { now });
      await recordAction(
        tx,
        {
          actor: viewer,
          action: 'usage-report.made',
          subject: { kind: 'site' },
          after: { period: form.period, layout: layoutNames[form.layout], revenue: form.revenue },
        },
        now,
      );
      return report.id;
    });
    if (id !== null) return present(await requireReport(deps, id));
  }
  throw new Error('No number for a report was free.');
}

type Asked = Pick<
  NamedReport,
  'from_day' | 'to_day' | 'layout' | 'territory' | 'revenue_confirmed'
>;

/** Two people, or two windows, make one report of a period, unless they confirm different totals. */
async function joinUnfinished(tx: Tx, report: Asked): Promise<{ id: string } | undefined> {
  const other = await findUnfinished(tx, report);
  if (
    other &&
    (other.territory !== report.territory || other.revenue_confirmed !== report.revenue_confirmed)
  )
    throw new AppError('validation_failed', {
      message:
        'A report of this period with other totals is being made. Look at it first, then make yours.',
    });
  return other;
}

async function requireReport({ database }: Deps, id: string): Promise<NamedReport> {
  const row = await findReport(database.db, id);
  if (!row) throw new AppError('not_found');
  return row;
}

type Finished = NamedReport & {
  file_key: string;
  snapshot_key: string;
  sha256: string;
  size: number;
};

const isFinished = (row: NamedReport): row is Finished => row.state === 'ready';

async function requireFinished(deps: Deps, id: string): Promise<Finished> {
  const row = await requireReport(deps, id);
  if (!isFinished(row)) throw new AppError('not_found');
  return row;
}

async function compareReports(
  deps: Deps,
  report: Finished,
  previousId: string,
): Promise<Iterable<UsageChange>> {
  const previous = await requireFinished(deps, previousId);
  const [before, after] = [
    await openSnapshot(deps.storage, previous.snapshot_key),
    await openSnapshot(deps.storage, report.snapshot_key),
  ];
  return compareLines(before, after, after.columns);
}

async function countChanges(
  deps: Deps,
  report: Finished,
  previousId: string,
): Promise<UsageChanges> {
  const changes: UsageChanges = { added: 0, removed: 0, changed: 0, items: [] };
  for (const change of await compareReports(deps, report, previousId)) {
    changes[change.change] += 1;
    if (changes.items.length < CHANGES_SHOWN) changes.items.push(change);
  }
  return changes;
}

export async function readReport(
  deps: Deps,
  id: string,
): Promise<UsageReport & { changes: UsageChanges | null }> {
  const row = await requireReport(deps, id);
  const report = present(row);
  if (!isFinished(row) || row.previous_id === null) return { ...report, changes: null };
  try {
    return { ...report, changes: await countChanges(deps, row, row.previous_id) };
  } catch (error) {
    deps.log.error({ err: error, report: row.number }, 'Could not compare a usage report');
    return { ...report, changes: null };
  }
}

/** From the snapshot alone: what has changed on the site since then doesn't matter. */
export async function makeAgain(deps: Deps, viewer: Viewer, id: string) {
  const report = await requireFinished(deps, id);
  const sha256 = await hashReport(await openSnapshot(deps.storage, report.snapshot_key));
  await note(deps, viewer, 'usage-report.made-again', report);
  return { sha256, isSame: sha256 === report.sha256 };
}

const note = ({ database, clock }: Deps, viewer: Viewer, action: string, report: NamedReport) =>
  database.db
    .transaction()
    .execute((tx) =>
      recordAction(
        tx,
        { actor: viewer, action, subject: { kind: 'site' }, after: { number: report.number } },
        clock.now(),
      ),
    );

const nameFile = ({ config }: Deps, row: NamedReport, what: string): string =>
  toFileName(
    [
      config.siteName,
      layoutNames[row.layout],
      formatPeriod({ from: row.from_day, to: row.to_day }),
      `${what} ${row.number}`,
    ],
    'csv',
  );

export async function openReport(
  deps: Deps,
  viewer: Viewer | null,
  id: string,
): Promise<{ file: SendableFile; name: string }> {
  const row = await requireFinished(deps, id);
  if ((await hashStored(deps.storage, row.file_key)) !== row.sha256)
    throw new AppError('internal', {
      message: `The stored file isn’t the one that was made: its SHA-256 isn’t ${row.sha256}. Restore ${row.file_key} from a backup.`,
    });
  if (viewer) await note(deps, viewer, 'usage-report.downloaded', row);
  const file = { key: row.file_key, size: row.size, mediaType: CSV_TYPE };
  return { file, name: nameFile(deps, row, 'Report') };
}

export async function openChanges(
  deps: Deps,
  viewer: Viewer | null,
  id: string,
): Promise<{ table: CsvTable; name: string }> {
  const row = await requireFinished(deps, id);
  if (row.previous_id === null) throw new AppError('not_found');
  const changes = await compareReports(deps, row, row.previous_id);
  if (viewer) await note(deps, viewer, 'usage-report.changes-downloaded', row);
  function* rows() {
    for (const { change, track, title, column, before, after } of changes)
      yield { cells: [change, track, title, column, before, after] };
  }
  const labels = ['Change', 'Mix', 'Title', 'Column', 'Before', 'After'];
  return {
    table: {
      columns: labels.map((label) => ({ key: label, label, kind: 'text' })),
      rows: rows(),
    },
    name: nameFile(deps, row, 'Changes'),
  };
}
