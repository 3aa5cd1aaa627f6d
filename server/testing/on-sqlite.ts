import { describe, it } from 'vitest';

/**
 * For tests in a file for both databases that run no statement of their own, and take long: on
 * PostgreSQL they run in the nightly run only. The check of statements says if one is needed after all.
 */
const isLeftOut = (): boolean =>
  process.env.TEST_DIALECT === 'postgres' && process.env.TEST_RUN !== 'nightly';

const leaveOut = (): void => undefined;

export const describeOnSqlite = (title: string, define: () => void): void => {
  const choose = isLeftOut() ? leaveOut : describe;
  choose(title, define);
};

export const itOnSqlite = (title: string, test: () => Promise<void>): void => {
  const choose = isLeftOut() ? leaveOut : it;
  choose(title, test);
};
