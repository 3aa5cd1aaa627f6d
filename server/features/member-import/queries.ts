import type { LineOutcome } from '#contract/admin/member-imports.ts';
import type { PageQuery } from '#contract/paging.ts';
import type { MemberImportLinesTable, MemberImportsTable } from '../../db/types/account-tables.ts';
import type { Db } from '../../db/connect.ts';
import { CursorId, CursorNumber, paginate } from '../../http/route/paginate.ts';

export type ImportRow = MemberImportsTable;
export type LineRow = MemberImportLinesTable;

export const insertImport = (db: Db, row: ImportRow) =>
  db.insertInto('member_imports').values(row).execute();

export const insertLines = (db: Db, rows: readonly LineRow[]) =>
  db.insertInto('member_import_lines').values(rows).execute();

export const findImport = (db: Db, id: string): Promise<ImportRow | undefined> =>
  db.selectFrom('member_imports').selectAll().where('id', '=', id).executeTakeFirst();

/** Undefined if it isn't in that state any more. */
export const moveImport = (
  tx: Db,
  id: string,
  from: ImportRow['state'],
  change: Partial<ImportRow>,
): Promise<ImportRow | undefined> =>
  tx
    .updateTable('member_imports')
    .set(change)
    .where('id', '=', id)
    .where('state', '=', from)
    .returningAll()
    .executeTakeFirst();

export const listStartedImports = (db: Db, page: PageQuery) =>
  paginate(
    db.selectFrom('member_imports').selectAll().where('state', 'in', ['running', 'done']),
    page,
    {
      orderBy: [
        ['created_at', CursorNumber],
        ['id', CursorId],
      ],
    },
  );

export const deleteDraftsOf = (db: Db, userId: string) =>
  db
    .deleteFrom('member_imports')
    .where('created_by', '=', userId)
    .where('state', 'in', ['checking', 'draft'])
    .execute();

export async function countOutcomes(
  db: Db,
  importId: string,
): Promise<Partial<Record<LineOutcome, number>>> {
  const rows = await db
    .selectFrom('member_import_lines')
    .select(({ fn }) => ['outcome', fn.countAll<number>().as('lines')])
    .where('import_id', '=', importId)
    .groupBy('outcome')
    .execute();
  return Object.fromEntries(rows.map(({ outcome, lines }) => [outcome, lines]));
}

export async function countOpenLines(db: Db, importId: string): Promise<number> {
  const row = await db
    .selectFrom('member_import_lines')
    .select(({ fn }) => fn.countAll<number>().as('lines'))
    .where('import_id', '=', importId)
    .where('done_at', 'is', null)
    .executeTakeFirst();
  return row?.lines ?? 0;
}

export const listLines = (
  db: Db,
  { importId, outcome }: { importId: string; outcome: LineOutcome | undefined },
  page: PageQuery,
) =>
  paginate(
    db
      .selectFrom('member_import_lines')
      .selectAll()
      .where('import_id', '=', importId)
      .$if(outcome !== undefined, (query) => query.where('outcome', '=', outcome ?? 'new')),
    page,
    { orderBy: [['line', CursorNumber]], direction: 'asc' },
  );

export const listOpenLines = (db: Db, importId: string, limit: number): Promise<LineRow[]> =>
  db
    .selectFrom('member_import_lines')
    .selectAll()
    .where('import_id', '=', importId)
    .where('done_at', 'is', null)
    .orderBy('line')
    .limit(limit)
    .execute();

export const updateLine = (
  tx: Db,
  { import_id, line }: Pick<LineRow, 'import_id' | 'line'>,
  change: Partial<LineRow>,
) =>
  tx
    .updateTable('member_import_lines')
    .set(change)
    .where('import_id', '=', import_id)
    .where('line', '=', line)
    .execute();

export type Member = {
  id: string;
  email_key: string;
  email_verified_at: number | null;
  password_hash: string;
  paid_through: number | null;
};

export const listMembers = (db: Db, emailKeys: readonly string[]): Promise<Member[]> =>
  emailKeys.length === 0
    ? Promise.resolve([])
    : db
        .selectFrom('users')
        .select(['id', 'email_key', 'email_verified_at', 'password_hash', 'paid_through'])
        .where('email_key', 'in', emailKeys)
        .execute();
