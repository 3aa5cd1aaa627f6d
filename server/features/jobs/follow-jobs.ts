import type { Deps } from '../../deps.ts';
import { publishSignal } from '../live/service.ts';

/** A page that watches needs no more, and a thousand messages sent at once are one change. */
const QUIET_MS = 1000;

/** Tells open pages that jobs have begun or ended, at most once a second. */
export function followJobs({ database, clock, log }: Pick<Deps, 'database' | 'clock' | 'log'>) {
  let timer: NodeJS.Timeout | null = null;
  const tell = () =>
    publishSignal(database.db, 'admin:jobs', clock.now()).catch((error: unknown) =>
      log.warn({ err: error }, 'that jobs have changed could not be told'),
    );
  return {
    note: () => {
      timer ??= setTimeout(() => {
        timer = null;
        void tell();
      }, QUIET_MS).unref();
    },
    /** Before the database is closed. */
    stop: async () => {
      if (timer) clearTimeout(timer);
      timer = null;
    },
  };
}
