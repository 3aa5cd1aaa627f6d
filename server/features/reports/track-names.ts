import type { Db } from '../../db/connect.ts';

export type NamedTrack = { id: string; title: string; year: number; week: number };

export const listTracksById = (db: Db, ids: readonly string[]): Promise<NamedTrack[]> =>
  ids.length === 0
    ? Promise.resolve([])
    : db
        .selectFrom('tracks')
        .select(['id', 'title', 'year', 'week'])
        .where('id', 'in', ids)
        .execute();
