import type {
  ImportCheck,
  ImportLine,
  LineOutcome,
  MemberImport,
} from '#contract/admin/member-imports.ts';
import type { Page, PageQuery } from '#contract/paging.ts';
import type { Db, Tx } from '../../db/connect.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../http/route/app-error.ts';
import type { Viewer } from '../../http/route/guards.ts';
import { newId } from '../../db/ids.ts';
import { enqueue } from '../../jobs/queue.ts';
import { toAccountKey } from '../accounts/service.ts';
import { recordAction } from '../audit/service.ts';
import { publishSignal } from '../live/service.ts';
import { findOutcome } from './find-outcome.ts';
import { importMembers } from './jobs.ts';
import {
  countOpenLines,
  countOutcomes,
  deleteDraftsOf,
  findImport,
  insertImport,
  insertLines,
  listLines,
  listMembers,
  listStartedImports,
  moveImport,
  type ImportRow,
  type LineRow,
} from './queries.ts';
import type { MemberLine, ReadOptions } from './read-members.ts';

async function presentImport(db: Db, row: ImportRow): Promise<MemberImport> {
  const outcomes =
    row.outcomes === null
      ? await countOutcomes(db, row.id)
      : (JSON.parse(row.outcomes) as MemberImport['outcomes']);
  const open = row.state === 'running' ? await countOpenLines(db, row.id) : 0;
  return {
    id: row.id,
    fileName: row.file_name,
    source: row.source,
    state: row.state === 'checking' ? 'draft' : row.state,
    createdAt: row.created_at,
    finishedAt: row.finished_at,
    lines: row.lines,
    done: row.state === 'running' ? row.lines - open : row.state === 'done' ? row.lines : 0,
    outcomes,
    withAccess: row.with_access,
  };
}

async function requireImport({ database: { db } }: Deps, id: string): Promise<ImportRow> {
  const row = await findImport(db, id);
  if (!row || row.state === 'checking') throw new AppError('not_found');
  return row;
}

export const getImport = async (deps: Deps, id: string): Promise<MemberImport> =>
  presentImport(deps.database.db, await requireImport(deps, id));

export async function listImports(
  { database: { db } }: Deps,
  page: PageQuery,
): Promise<Page<MemberImport>> {
  const { rows, nextCursor } = await listStartedImports(db, page);
  return { items: await Promise.all(rows.map((row) => presentImport(db, row))), nextCursor };
}

const CHECKED_AT_ONCE = 500;

/** Each line with what would happen to it now. */
async function* checkLines({ database, clock }: Deps, importId: string, lines: MemberLine[]) {
  for (let start = 0; start < lines.length; start += CHECKED_AT_ONCE) {
    const batch = lines.slice(start, start + CHECKED_AT_ONCE);
    const keys = batch.flatMap(({ outcome, emailKey }) => (outcome === null ? [emailKey] : []));
    const found = await listMembers(database.db, keys);
    const members = new Map(found.map((member) => [member.email_key, member]));
    yield batch.map((line): LineRow => {
      const member = line.outcome === null ? members.get(line.emailKey) : undefined;
      const checked = line.outcome ? line : findOutcome(line, member, clock.now());
      return {
        import_id: importId,
        line: line.line,
        email: line.email,
        email_key: line.emailKey,
        name: line.name,
        paid_until: line.paidUntil,
        is_unsubscribed: line.isUnsubscribed ? 1 : 0,
        outcome: checked.outcome as LineOutcome,
        note: checked.note ?? line.note,
        user_id: member?.id ?? null,
        done_at: null,
      };
    });
  }
}

/** Reads a file and keeps what would happen to each line. Changes no account and sends nothing. */
export async function checkFile(
  deps: Deps,
  viewer: Viewer,
  bytes: Uint8Array,
  { fileName, ...options }: Omit<ReadOptions, 'timeZone'> & { fileName: string },
): Promise<ImportCheck> {
  const { database, clock, config } = deps;
  const { readMembers } = await import('./read-members.ts');
  const file = await readMembers(bytes, { ...options, timeZone: config.timeZone });
  if (!file.columns.some(({ role }) => role === 'email') && options.roles)
    throw new AppError('import_refused', {
      message: 'Choose the column with the e-mail addresses.',
    });
  const now = clock.now();
  const row: ImportRow = {
    id: newId(now),
    created_by: viewer.user.id,
    file_name: fileName.replace(/\p{Cc}/gu, ''),
    source: file.source,
    state: 'checking',
    outcomes: null,
    lines: file.lines.length,
    with_access: 0,
    created_at: now,
    finished_at: null,
  };
  await deleteDraftsOf(database.db, viewer.user.id);
  await insertImport(database.db, row);
  let withAccess = 0;
  for await (const lines of checkLines(deps, row.id, file.lines)) {
    withAccess += lines.filter(
      ({ outcome, paid_until }) => outcome === 'new' && (paid_until ?? 0) > now,
    ).length;
    await insertLines(database.db, lines);
  }
  const change = { state: 'draft' as const, with_access: withAccess };
  const draft = await moveImport(database.db, row.id, 'checking', change);
  // Another check of the same administrator has replaced it.
  if (!draft) throw new AppError('not_found');
  return {
    import: await presentImport(database.db, draft),
    columns: file.columns,
    dateOrder: file.dateOrder,
    payingWithoutDate: file.payingWithoutDate,
  };
}

export async function listImportLines(
  deps: Deps,
  id: string,
  { outcome, ...page }: PageQuery & { outcome?: LineOutcome | undefined },
): Promise<Page<ImportLine>> {
  await requireImport(deps, id);
  const { rows, nextCursor } = await listLines(deps.database.db, { importId: id, outcome }, page);
  return {
    items: rows.map((row) => ({
      line: row.line,
      email: row.email,
      name: row.name,
      outcome: row.outcome,
      note: row.note,
      paidUntil: row.paid_until,
      isUnsubscribed: row.is_unsubscribed === 1,
      userId: row.user_id,
    })),
    nextCursor,
  };
}

/** Starting it twice is the same as once. */
export async function startImport(deps: Deps, viewer: Viewer, id: string): Promise<MemberImport> {
  const { database, clock, jobs } = deps;
  await requireImport(deps, id);
  const now = clock.now();
  await database.db.transaction().execute(async (tx) => {
    // Whoever starts it is the author of what it grants.
    const change = { state: 'running' as const, created_by: viewer.user.id };
    const row = await moveImport(tx, id, 'draft', change);
    if (!row) return;
    const { new: added = 0, extended = 0 } = await countOutcomes(tx, id);
    await recordAction(
      tx,
      {
        actor: viewer,
        action: 'members.imported',
        subject: { kind: 'site' },
        after: { source: row.source, lines: row.lines, added, extended },
      },
      now,
    );
    await enqueue(tx, importMembers, { importId: id }, { now, uniqueKey: `import:${id}` });
    await publishSignal(tx, 'admin:members', now);
  });
  jobs.wake();
  return getImport(deps, id);
}

/** For the personal-data archive: what files said about the user. */
export async function* exportImportLines(db: Db, userId: string) {
  const rows = await db
    .selectFrom('member_import_lines')
    .innerJoin('member_imports', 'member_imports.id', 'member_import_lines.import_id')
    .select(['source', 'email', 'name', 'paid_until', 'is_unsubscribed', 'done_at'])
    .where('user_id', '=', userId)
    .orderBy('member_imports.id')
    .execute();
  for (const row of rows)
    yield {
      source: row.source,
      email: row.email,
      name: row.name,
      paidUntil: row.paid_until,
      isUnsubscribed: row.is_unsubscribed === 1,
      importedAt: row.done_at,
    };
}

/** Also lines of files that nobody has imported, and those with an address that the user had before. */
export async function eraseImportLines(tx: Tx, userId: string): Promise<void> {
  const user = await tx
    .selectFrom('users')
    .select('email')
    .where('id', '=', userId)
    .executeTakeFirst();
  const lines = await tx
    .selectFrom('member_import_lines')
    .select('email_key')
    .distinct()
    .where('user_id', '=', userId)
    .execute();
  const keys = lines.map(({ email_key }) => email_key);
  if (user) keys.push(toAccountKey(user.email));
  if (keys.length > 0)
    await tx.deleteFrom('member_import_lines').where('email_key', 'in', keys).execute();
}
