import { describe, expect, it } from 'vitest';
import { findOnSqliteOnly, findTooFew, normalise, type Statement } from './statements.ts';

const ran = (database: Statement['database'], sql: string): Statement => ({
  database,
  sql,
  test: 'server/some.test.ts › does it',
});

describe('findOnSqliteOnly', () => {
  it('names a statement that no test ran on PostgreSQL, and a test that ran it', () => {
    const missing = findOnSqliteOnly([
      ran('sqlite', 'select "id" from "users" where "id" = ?'),
      ran('postgres', 'select "id" from "users" where "id" = $1'),
      ran('sqlite', 'delete from "users" where "id" = ?'),
    ]);
    expect(missing).toEqual([ran('sqlite', 'delete from "users" where "id" = ?')]);
  });

  it('does not ask SQLite for what only PostgreSQL ran', () => {
    expect(findOnSqliteOnly([ran('postgres', 'select pg_notify($1, $2)')])).toEqual([]);
  });

  it('asks for data only, because each database has its own way to create a table', () => {
    expect(findOnSqliteOnly([ran('sqlite', 'create table "a" ("id" text)')])).toEqual([]);
  });

  it('names each statement once, however many processes ran it', () => {
    const one = ran('sqlite', 'delete from "users"');
    expect(findOnSqliteOnly([one, one, { ...one, sql: 'delete  from "users"' }])).toEqual([one]);
  });
});

describe('normalise', () => {
  it.each([
    ['parameters', 'select 1 where a = ? and b = ?', 'select 1 where a = $1 and b = $2'],
    ['the length of a list', 'select 1 where a in (?, ?, ?)', 'select 1 where a in ($1)'],
    [
      'the number of rows',
      'insert into t (a, b) values (?, ?), (?, ?)',
      'insert into t (a, b) values ($1, $2)',
    ],
    [
      'the number of equal parts',
      'select * from (select a from t limit ?) union all select * from (select a from t limit ?)',
      'select * from (select a from t limit $1)',
    ],
    [
      'the search for a part',
      'select 1 where instr(a.b, ?) > 0',
      'select 1 where position($1 in a.b) > 0',
    ],
    ['locks', 'select 1 from t', 'select 1 from t for update of "t" skip locked'],
    ['white space', 'select 1\n  from t', 'select 1 from t'],
    [
      'lists as JSON',
      'select value from json_each(?)',
      'select value from json_array_elements_text($1::json)',
    ],
  ])('ignores %s', (_what, sqlite, postgres) => {
    expect(normalise(sqlite)).toBe(normalise(postgres));
  });

  it('keeps apart what differs', () => {
    expect(normalise('select 1 where a = ?')).not.toBe(normalise('select 1 where b = ?'));
    expect(normalise('select 1 where a in (?)')).not.toBe(normalise('select 1 where a not in (?)'));
  });
});

it('notices that nothing was recorded on one of the databases', () => {
  const many = Array.from({ length: 1200 }, (_, index) => `select ${index}`);
  const onSqlite = many.map((sql) => ran('sqlite', sql));
  expect(findTooFew(onSqlite)).toBe('Only 0 statements were recorded on postgres.');
  expect(findTooFew([...onSqlite, ...many.map((sql) => ran('postgres', sql))])).toBeNull();
});
