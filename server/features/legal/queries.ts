import type { LegalPageName } from '#contract/legal-pages.ts';
import type { FileEnds } from '#contract/rules/allowed-files.ts';
import { readSettings } from '../../db/settings.ts';
import type { Db } from '../../db/connect.ts';
import type { LegalVersionsTable } from '../../db/types/legal-tables.ts';
import { defaultTexts } from './default-texts.ts';

export type LegalVersion = LegalVersionsTable;

const selectNewest = (db: Db, page: LegalPageName) =>
  db
    .selectFrom('legal_versions')
    .selectAll()
    .where('page', '=', page)
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst();

/** What the terms of earlier versions of this product promised, until somebody wrote others. */
const PROMISE = ', with downloads, for as long as it is paid for.';

const withoutPromise = (row: LegalVersion, { downloadsEnd }: FileEnds): LegalVersion =>
  row.created_by === null && downloadsEnd !== null
    ? { ...row, text: row.text.replace(PROMISE, ', for as long as it is paid for. {filesRule}') }
    : row;

/** The first reader stores the default text, so that an update of the server never changes a page. */
export async function getCurrentVersion(
  db: Db,
  page: LegalPageName,
  now: number,
): Promise<LegalVersion> {
  const newest = await selectNewest(db, page);
  if (newest) return withoutPromise(newest, await readSettings(db, now));
  const first = { page, version: 1, text: defaultTexts[page], created_by: null, created_at: now };
  await insertVersion(db, first);
  return (await selectNewest(db, page)) ?? first;
}

/** False if that version exists already. */
export async function insertVersion(db: Db, row: LegalVersion): Promise<boolean> {
  const inserted = await db
    .insertInto('legal_versions')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returning('version')
    .executeTakeFirst();
  return inserted !== undefined;
}

export const findVersion = (db: Db, page: LegalPageName, version: number) =>
  db
    .selectFrom('legal_versions')
    .selectAll()
    .where('page', '=', page)
    .where('version', '=', version)
    .executeTakeFirst();

/** Newest first, with the present names of their authors. */
export const listVersions = (db: Db, page: LegalPageName) =>
  db
    .selectFrom('legal_versions')
    .leftJoin('users', 'users.id', 'legal_versions.created_by')
    .select(['legal_versions.version', 'legal_versions.created_at as at', 'users.username as by'])
    .where('page', '=', page)
    .orderBy('version', 'desc')
    .execute();
