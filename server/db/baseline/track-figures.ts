import type { Statement } from '../migrations/migration.ts';

const COUNTED = [
  { table: 'counted_plays', column: 'listeners' },
  { table: 'favorites', column: 'favorites' },
  { table: 'downloads', column: 'downloads' },
] as const;

const addOne = (column: string) => `insert into track_figures (track_id, ${column})
  values (new.track_id, 1)
  on conflict (track_id) do update set ${column} = track_figures.${column} + 1;`;
const subtractOne = (column: string) =>
  `update track_figures set ${column} = ${column} - 1 where track_id = old.track_id;`;

function buildTrigger(table: string, event: 'insert' | 'delete', body: string): Statement[] {
  const name = `${table}_${event}_counted`;
  return [
    { sqlite: `create trigger ${name} after ${event} on ${table} begin ${body} end` },
    {
      postgres: `create function ${name}() returns trigger language plpgsql as $$ begin ${body} return null; end $$`,
    },
    {
      postgres: `create trigger ${name} after ${event} on ${table} for each row execute function ${name}()`,
    },
  ];
}

/**
 * Totals per track for the catalogue. Triggers update them, because rows also disappear when their
 * account is deleted, and counting a hundred thousand rows for a list would take too long.
 */
export const trackFigures: Statement[] = [
  `create table track_figures (
     track_id text primary key not null references tracks (id) on delete cascade,
     listeners integer not null default 0,
     favorites integer not null default 0,
     downloads integer not null default 0)`,
  ...COUNTED.flatMap(({ table, column }) => [
    ...buildTrigger(table, 'insert', addOne(column)),
    ...buildTrigger(table, 'delete', subtractOne(column)),
  ]),
];
