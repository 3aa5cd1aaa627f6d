import { sql } from 'kysely';
import type { Migration } from './migration.ts';

/** A genre's mixes in the order of the library, and the genres themselves by leaping through it. */
export const library: Migration = {
  name: '0012-library',
  up: async (tx) => {
    await sql
      .raw(
        `create index tracks_by_genre on tracks (genre, year desc, week desc, publish_at desc, id desc)
           where publish_at is not null and status = 'ready'`,
      )
      .execute(tx);
  },
};
