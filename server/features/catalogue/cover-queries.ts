import type { Db } from '../../db/connect.ts';

export async function isCoverUsed(db: Db, key: string): Promise<boolean> {
  const [track, upload] = await Promise.all([
    db.selectFrom('tracks').select('id').where('cover_key', '=', key).limit(1).executeTakeFirst(),
    db.selectFrom('uploads').select('id').where('cover_key', '=', key).limit(1).executeTakeFirst(),
  ]);
  return track !== undefined || upload !== undefined;
}
