import type { BookMonths } from '#contract/admin/books.ts';
import { dayOf } from '#contract/rules/days.ts';
import { monthOf } from '#contract/rules/report-days.ts';
import type { Db, Tx } from '../../db/connect.ts';
import { readSettings } from '../../db/settings.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../http/route/app-error.ts';
import type { Viewer } from '../../http/route/guards.ts';
import { recordAction } from '../audit/service.ts';
import {
  addToMonth,
  findClosedMonth,
  lockClosedMonth,
  setClosedMonth,
} from '../billing/ledger/service.ts';

const findFirst = async (
  db: Db,
  table: 'invoices' | 'credit_notes' | 'refused_payments',
): Promise<string | null> =>
  (await db.selectFrom(table).select('booked_on').orderBy('booked_on').limit(1).executeTakeFirst())
    ?.booked_on ?? null;

export async function listMonths({ database, config, clock }: Deps): Promise<string[]> {
  const { db } = database;
  const today = dayOf(clock.now(), config.timeZone);
  const [first = today] = [
    today,
    await findFirst(db, 'invoices'),
    await findFirst(db, 'credit_notes'),
    await findFirst(db, 'refused_payments'),
  ]
    .filter((day) => day !== null)
    .toSorted();
  const months: string[] = [];
  for (let month = monthOf(today); month >= monthOf(first); month = addToMonth(month, -1))
    months.push(month);
  return months;
}

export async function readMonths(deps: Deps): Promise<BookMonths> {
  const { database, clock } = deps;
  const { vatCategory, yearEndMonth } = await readSettings(database.db, clock.now());
  return {
    months: await listMonths(deps),
    closed: await findClosedMonth(database.db),
    vatCategory,
    yearEndMonth,
  };
}

function refuse(message: string): never {
  throw new AppError('validation_failed', { message, fields: { month: message } });
}

const recordClosing = (
  tx: Tx,
  actor: Viewer,
  change: { action: string; before: string | null; after: string | null; reason?: string },
  now: number,
) =>
  recordAction(
    tx,
    {
      actor,
      action: change.action,
      subject: { kind: 'site' },
      before: { closedUntil: change.before },
      after: { closedUntil: change.after },
      ...(change.reason !== undefined && { reason: change.reason }),
    },
    now,
  );

/** Payments and refunds of these months that we learn of later are booked in the next. */
export async function closeMonth(deps: Deps, viewer: Viewer, month: string): Promise<BookMonths> {
  const { database, clock, config } = deps;
  const now = clock.now();
  if (month >= monthOf(dayOf(now, config.timeZone)))
    refuse('Only a month that is over can be closed.');
  await database.db.transaction().execute(async (tx) => {
    const before = await lockClosedMonth(tx);
    if (before !== null && month <= before) refuse('This month is closed already.');
    await setClosedMonth(tx, month);
    await recordClosing(tx, viewer, { action: 'books.closed', before, after: month }, now);
  });
  return readMonths(deps);
}

/** Only the last one: the months after it rest on the others. What is booked stays where it is. */
export async function reopenMonth(
  deps: Deps,
  viewer: Viewer,
  { month, reason }: { month: string; reason: string },
): Promise<BookMonths> {
  const { database, clock } = deps;
  await database.db.transaction().execute(async (tx) => {
    const before = await lockClosedMonth(tx);
    if (month !== before) refuse('Only the last closed month can be opened again.');
    const after = addToMonth(month, -1);
    await setClosedMonth(tx, after);
    await recordClosing(
      tx,
      viewer,
      { action: 'books.reopened', before, after, reason },
      clock.now(),
    );
  });
  return readMonths(deps);
}
