import type { Column, ReportRow } from '#contract/admin/reports.ts';
import type { SubscriberFilter } from '#contract/admin/subscribers.ts';
import { defaultPreferences } from '#contract/preferences.ts';
import type { Db } from '../../db/connect.ts';
import type { Deps } from '../../deps.ts';
import type { CsvTable } from '../../http/send/csv.ts';
import type { Viewer } from '../../http/route/guards.ts';
import { toAccountKey } from '../accounts/service.ts';
import { recordAction } from '../audit/service.ts';
import { type ListCursor, type ListedUser, listUsers } from './list-queries.ts';
import { presentUser, readAccessTime } from './read-subscribers.ts';

const BATCH = 500;

/** The first four are those that the import of members recognises: see `member-import/sources.ts`. */
const columns: readonly Column[] = [
  'email',
  'name',
  'paid_until',
  'release_mails',
  'access',
  'email_confirmed',
  'joined',
  'administrator',
  'disabled',
].map((key) => ({ key, label: key, kind: 'text' }));

async function listQuietUsers(db: Db, users: readonly ListedUser[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('preferences')
    .select(['user_id', 'release_mails'])
    .where(
      'user_id',
      'in',
      users.map(({ id }) => id),
    )
    .execute();
  const choices = new Map(rows.map((row) => [row.user_id, row.release_mails === 1]));
  return new Set(
    users.flatMap(({ id }) => ((choices.get(id) ?? defaultPreferences.releaseMails) ? [] : [id])),
  );
}

const toText = (at: number | null): string => (at === null ? '' : new Date(at).toISOString());

type ExportFilter = { filter?: SubscriberFilter | undefined; q?: string | undefined };

async function* readRows(
  deps: Deps,
  { filter = 'all', q = '' }: ExportFilter,
): AsyncGenerator<Pick<ReportRow, 'cells'>> {
  const time = await readAccessTime(deps);
  const wanted = { filter, text: toAccountKey(q) };
  for (let after: ListCursor | null = null; ;) {
    const users: ListedUser[] = await listUsers(deps.database, wanted, time, {
      after,
      limit: BATCH,
    });
    const last = users.at(-1);
    if (!last) return;
    const quiet = await listQuietUsers(deps.database.db, users);
    for (const user of users) {
      const { email, username, paidThrough, access, isEmailVerified, createdAt, ...flags } =
        presentUser(user, time);
      yield {
        cells: [
          email,
          username,
          toText(paidThrough),
          String(!quiet.has(user.id)),
          access,
          String(isEmailVerified),
          toText(createdAt),
          String(flags.isAdmin),
          String(flags.isDisabled),
        ],
      };
    }
    if (users.length < BATCH) return;
    after = [last.paid_through ?? 0, last.id];
  }
}

/** All users of a filter, a batch at a time. In the audit log, because it is everybody's address. */
export async function exportSubscribers(
  deps: Deps,
  viewer: Viewer,
  filter: ExportFilter,
): Promise<CsvTable> {
  await deps.database.db.transaction().execute((tx) =>
    recordAction(
      tx,
      {
        actor: viewer,
        action: 'members.exported',
        subject: { kind: 'site' },
        after: { which: filter.filter ?? 'all' },
      },
      deps.clock.now(),
    ),
  );
  return { columns, rows: readRows(deps, filter) };
}
