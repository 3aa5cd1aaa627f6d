import { sql } from 'kysely';
import type { Migration } from './migration.ts';
import { finishTable, timeType } from './table-types.ts';

/** What members heard before this table existed; the rule of `contract/rules/listening.ts` in SQL. */
const BACK_FILL = `
  insert into listening (user_id, track_id, position_ms, heard_ms, is_heard, last_heard_at)
  select
    heard.user_id,
    heard.track_id,
    heard.position_ms,
    heard.heard_ms,
    case
      when heard.full_access = 0 or tracks.duration_ms <= 0 then 0
      when heard.heard_ms * 10 >= tracks.duration_ms * 9 then 1
      when heard.heard_ms * 2 >= tracks.duration_ms
        and heard.furthest_ms >= tracks.duration_ms -
          (case when tracks.duration_ms < 150000 then tracks.duration_ms / 5 else 30000 end)
        then 1
      else 0
    end,
    heard.heard_at
  from (
    select
      user_id,
      track_id,
      position_ms,
      heard_at,
      sum(cast(heard_ms as bigint)) over (partition by user_id, track_id) as heard_ms,
      max(is_subscriber) over (partition by user_id, track_id) as full_access,
      max(position_ms) over (partition by user_id, track_id) as furthest_ms,
      row_number() over (partition by user_id, track_id order by heard_at desc, id desc) as place
    from plays
    where user_id is not null
  ) as heard
  inner join tracks on tracks.id = heard.track_id
  where heard.place = 1`;

export const listening: Migration = {
  name: '0004-listening',
  up: async (tx, dialect) => {
    const time = timeType(dialect);
    await finishTable(
      tx.schema
        .createTable('listening')
        .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
        .addColumn('track_id', 'text', (c) =>
          c.notNull().references('tracks.id').onDelete('cascade'),
        )
        .addColumn('position_ms', 'integer', (c) => c.notNull())
        .addColumn('heard_ms', time, (c) => c.notNull())
        .addColumn('is_heard', 'integer', (c) => c.notNull().check(sql`is_heard in (0, 1)`))
        .addColumn('last_heard_at', time, (c) => c.notNull())
        .addPrimaryKeyConstraint('listening_pk', ['user_id', 'track_id']),
      dialect,
    );
    await sql
      .raw(
        'create index listening_by_time on listening (user_id, last_heard_at desc, track_id desc)',
      )
      .execute(tx);
    await sql.raw('create index listening_by_track on listening (track_id)').execute(tx);
    await sql.raw(BACK_FILL).execute(tx);
  },
};
