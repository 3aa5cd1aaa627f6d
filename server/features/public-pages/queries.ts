import type { Db } from '../../db/connect.ts';
import { isVisible, type Visibility } from '../tracks/service.ts';

export type SitemapTrack = { id: string; publish_at: number | null; updated_at: number };

/** Oldest week first, so that a new track changes only the last part. */
export const listSitemapTracks = (
  db: Db,
  visibility: Visibility,
  { limit, offset }: { limit: number; offset: number },
): Promise<SitemapTrack[]> =>
  db
    .selectFrom('tracks')
    .select(['id', 'publish_at', 'updated_at'])
    .where(isVisible(visibility))
    .orderBy('year')
    .orderBy('week')
    .orderBy('publish_at')
    .orderBy('id')
    .limit(limit)
    .offset(offset)
    .execute();

export async function countSitemapTracks(db: Db, visibility: Visibility): Promise<number> {
  const { count } = await db
    .selectFrom('tracks')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where(isVisible(visibility))
    .executeTakeFirstOrThrow();
  return count;
}
