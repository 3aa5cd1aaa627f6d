import { CHECK_KINDS, type Check as CheckAnswer, type CheckKind } from '#contract/admin/week.ts';
import { formatDayAndTime } from '#contract/rules/format.ts';
import { MINUTE, SECOND } from '#contract/rules/time.ts';
import type { Db } from '../../db/connect.ts';
import type { OperationsTables } from '../../db/types/operations-tables.ts';
import type { Deps } from '../../deps.ts';
import { describeError } from '../../jobs/describe-error.ts';
import type { AttentionItem, Check, Problem } from './check.ts';
import { checkBackup } from './check-backup.ts';
import { createCertificateCheck } from './check-certificate.ts';
import { checkClock } from './check-clock.ts';
import { checkDisk } from './check-disk.ts';
import { checkErrors } from './check-errors.ts';
import { checkJobs } from './check-jobs.ts';
import { checkMail } from './check-mail.ts';

type CheckRow = OperationsTables['site_checks'];

export const CHECKS: readonly Check[] = [
  checkMail,
  checkDisk,
  checkBackup,
  checkJobs,
  createCertificateCheck(),
  checkClock,
  checkErrors,
];

/** The schedule that looks comes a little early or late. */
const EARLY_MS = MINUTE;
/** How much later than planned a look may be before nobody has looked. */
const LATE_MS = 30 * MINUTE;
const LOOK_LIMIT_MS = 30 * SECOND;

async function withinLimit<T>(work: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error('It took too long.')), LOOK_LIMIT_MS);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

const isDue = (row: CheckRow | undefined, { everyMs }: Check, now: number): boolean =>
  !row ||
  row.failure !== null ||
  row.looked_at === null ||
  row.looked_at > now ||
  now - row.looked_at >= everyMs - EARLY_MS;

const listRows = (db: Db) => db.selectFrom('site_checks').selectAll().execute();

async function saveLook(db: Db, kind: CheckKind, change: Omit<Partial<CheckRow>, 'kind'>) {
  const { tried_at = 0 } = change;
  const empty = { looked_at: null, failure: null, problem: null, count: 0, is_urgent: 0 as const };
  await db
    .insertInto('site_checks')
    .values({ kind, ...empty, tried_at, ...change })
    .onConflict((conflict) => conflict.column('kind').doUpdateSet(change))
    .execute();
}

const toRow = (found: Problem | null) => ({
  problem: found?.text ?? null,
  count: found ? (found.count ?? 1) : 0,
  is_urgent: found?.isUrgent ? (1 as const) : (0 as const),
});

/** Looks at whatever is due. One that can’t tell leaves the others alone, and is no good news. */
export async function lookAround(deps: Deps, checks = CHECKS): Promise<void> {
  const { database, clock, log } = deps;
  const { db } = database;
  const rows = await listRows(db);
  for (const check of checks) {
    const { kind } = check;
    const now = clock.now();
    if (
      !isDue(
        rows.find((row) => row.kind === kind),
        check,
        now,
      )
    )
      continue;
    try {
      const found = await withinLimit(check.look(deps));
      if (found) log.warn({ check: kind }, found.text);
      await saveLook(db, kind, { tried_at: now, looked_at: now, failure: null, ...toRow(found) });
    } catch (error) {
      log.error({ err: error, check: kind }, 'A check of the site failed.');
      await saveLook(db, kind, { tried_at: now, failure: describeError(error) });
    }
  }
}

/** Where to look into it; null if that isn’t on a page. */
const PAGES: Record<CheckKind, string | null> = {
  mail: '/admin/jobs?state=waiting',
  disk: null,
  backup: null,
  jobs: '/admin/jobs?state=waiting',
  certificate: null,
  clock: null,
  errors: null,
};

/** What the checks found, the urgent first. */
export async function listAlarms(db: Db): Promise<AttentionItem[]> {
  const rows = await listRows(db);
  return CHECK_KINDS.flatMap((kind) => rows.filter((row) => row.kind === kind))
    .toSorted((a, b) => b.is_urgent - a.is_urgent)
    .flatMap(({ kind, count, problem: text }) =>
      text === null ? [] : [{ kind, count, text, href: PAGES[kind] }],
    );
}

/** The kinds that can’t wait until morning. */
export const listUrgentKinds = async (db: Db): Promise<CheckKind[]> =>
  (await listRows(db)).flatMap(({ kind, problem, is_urgent }) =>
    problem !== null && is_urgent === 1 ? [kind] : [],
  );

type Look = { lookedAt: number | null; failure: string | null; everyMs: number };

function describeTrouble({ lookedAt, failure, everyMs }: Look, now: number, timeZone: string) {
  const isFresh = lookedAt !== null && now - lookedAt <= everyMs + LATE_MS;
  if (isFresh && failure === null) return null;
  const since =
    lookedAt === null
      ? 'Not checked yet'
      : `Not checked since ${formatDayAndTime(lookedAt, timeZone)}`;
  return failure === null ? `${since}.` : `${since}: ${failure}`;
}

/** What charges is also what notices that payments are overdue. */
async function readPayments(db: Db): Promise<Look> {
  const run = await db
    .selectFrom('schedule_runs')
    .select(['ended_at', 'error'])
    .where('name', '=', 'renew-due')
    .executeTakeFirst();
  const failure = run?.error ?? null;
  return {
    lookedAt: failure === null ? (run?.ended_at ?? null) : null,
    failure,
    everyMs: 10 * MINUTE,
  };
}

/** When the site last looked at what, and what nobody knows. */
export async function readChecks({
  database: { db },
  clock,
  config,
}: Pick<Deps, 'database' | 'clock' | 'config'>): Promise<CheckAnswer[]> {
  const now = clock.now();
  const rows = await listRows(db);
  const looks = CHECKS.map(({ kind, everyMs }) => {
    const row = rows.find((each) => each.kind === kind);
    return { kind, everyMs, lookedAt: row?.looked_at ?? null, failure: row?.failure ?? null };
  });
  return [...looks, { kind: 'payments' as const, ...(await readPayments(db)) }].map((look) => ({
    kind: look.kind,
    lookedAt: look.lookedAt,
    trouble: describeTrouble(look, now, config.timeZone),
  }));
}

/** For metrics: 1 if something is wrong, and how long ago somebody looked. */
export const readAlarmFigures = async ({ database, clock }: Pick<Deps, 'database' | 'clock'>) =>
  (await listRows(database.db)).map(({ kind, problem, looked_at }) => ({
    kind,
    isOn: problem !== null,
    ageMs: looked_at === null ? null : clock.now() - looked_at,
  }));
