import type { LegalPageName } from '#contract/legal-pages.ts';
import { exportRows } from '../../db/export-rows.ts';
import type { Db, Tx } from '../../db/connect.ts';
import type { AcceptancePlace } from '../../db/types/legal-tables.ts';
import type { Deps } from '../../deps.ts';
import { CACHE_MS } from '../../db/settings.ts';
import { getCurrentVersion } from './queries.ts';

const acceptedAt: Record<AcceptancePlace, readonly LegalPageName[]> = {
  registration: ['terms', 'privacy'],
  checkout: ['terms', 'privacy', 'refunds'],
  notice: ['terms', 'privacy'],
};

/** In the transaction of what the user did: the versions that the page linked to at that time. */
export async function recordAcceptance(
  tx: Tx,
  userId: string,
  place: AcceptancePlace,
  now: number,
): Promise<void> {
  const rows = [];
  for (const page of acceptedAt[place]) {
    const { version } = await getCurrentVersion(tx, page, now);
    rows.push({ user_id: userId, page, version, place, at: now });
  }
  await tx
    .insertInto('legal_acceptances')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

type Change = { page: LegalPageName; version: number; at: number };

/** Changed texts that members are told about. Almost always there are none, so every login reads a cache. */
const cached = new WeakMap<Db, { changes: Change[]; at: number }>();

async function listChanges(db: Db, now: number): Promise<Change[]> {
  const found = cached.get(db);
  if (found && Math.abs(now - found.at) < CACHE_MS) return found.changes;
  const rows = await db
    .selectFrom('legal_versions')
    .select(['page', 'version', 'created_at as at'])
    .where('page', 'in', acceptedAt.notice)
    .where('version', '>', 1)
    .orderBy('version')
    .execute();
  const newest = new Map(rows.map((row) => [row.page, row]));
  const changes = [...newest.values()];
  cached.set(db, { changes, at: now });
  return changes;
}

export const forgetLegalChanges = (db: Db): void => void cached.delete(db);

/** When the terms or the privacy policy changed, if this user hasn't accepted or seen that version. */
export async function findLegalChange(
  { database, clock }: Deps,
  user: { id: string; created_at: number },
): Promise<number | null> {
  const changes = await listChanges(database.db, clock.now());
  const later = changes.filter(({ at }) => at > user.created_at);
  if (later.length === 0) return null;
  const accepted = await database.db
    .selectFrom('legal_acceptances')
    .select(['page', 'version'])
    .where('user_id', '=', user.id)
    .execute();
  const unseen = later.filter(
    ({ page, version }) => !accepted.some((row) => row.page === page && row.version === version),
  );
  return unseen.length === 0 ? null : Math.max(...unseen.map(({ at }) => at));
}

export const markChangesSeen = ({ database, clock }: Deps, userId: string): Promise<void> =>
  database.db.transaction().execute((tx) => recordAcceptance(tx, userId, 'notice', clock.now()));

/** For the personal-data archive; the rows are deleted with the account. */
export async function* exportAcceptances(db: Db, userId: string) {
  const rows = exportRows(
    db
      .selectFrom('legal_acceptances')
      .select(['page', 'version', 'place', 'at'])
      .where('user_id', '=', userId),
    { page: 'page', version: 'version', place: 'place' },
  );
  yield* rows;
}

/** What a deleted administrator published no longer names them. */
export async function anonymiseAuthor(tx: Tx, userId: string): Promise<void> {
  await tx
    .updateTable('legal_versions')
    .set({ created_by: null })
    .where('created_by', '=', userId)
    .execute();
}
