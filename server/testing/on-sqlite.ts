import { describe, it } from 'vitest';

/**
 * For tests in a file for both databases that run no statement of their own: on PostgreSQL they run in
 * the nightly run only. The check of statements says if one is needed after all. What is about several
 * connections, locks, orders and plans isn't for these.
 */
const isLeftOut = process.env.TEST_DIALECT === 'postgres' && process.env.TEST_RUN !== 'nightly';

/** In place of `describe` or `it`: Vitest would report what it skips. */
const leaveOut = Object.assign(() => undefined, { each: () => () => undefined });

export const describeOnSqlite = isLeftOut ? (leaveOut as unknown as typeof describe) : describe;

/** For what several providers do with the same statements: on PostgreSQL the first is enough. */
export const firstOnPostgres = <T>(all: readonly T[]): readonly T[] =>
  isLeftOut ? all.slice(0, 1) : all;

export const itOnSqlite = isLeftOut ? (leaveOut as unknown as typeof it) : it;

/** For what is about moving between the two databases, which a run on SQLite doesn't have. */
export const itOnPostgres =
  process.env.TEST_DIALECT === 'sqlite' ? (leaveOut as unknown as typeof it) : it;
