import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { buildApp } from '#server/app.ts';
import { parseConfig } from '#server/config.ts';
import { migrate } from '#server/db/schema/migrate.ts';
import { closeDeps, createDeps, type Deps } from '#server/deps.ts';
import { createLog } from '#server/log/log.ts';
import { jobList } from '#server/job-list.ts';
import { probeQueue } from '#server/jobs/jobs-handle.ts';
import { enqueueRun, toSchedule } from '#server/jobs/schedules.ts';
import { createWorker, type Worker } from '#server/jobs/worker.ts';
import type { MailMessage } from '#server/ports/mail/mail.ts';
import { seedTrack } from '#server/testing/seed-track.ts';
import { findFreePort } from '../../tools/testing/free-port.ts';
import { findErrorLines } from '../support/server-process.ts';

async function runSchedules({ database, clock }: Deps, worker: Worker) {
  const now = clock.now();
  for (const job of jobList) {
    const schedule = toSchedule(job);
    // Files keep the real time, so after a jump all of them would look old.
    if (!schedule || schedule.name.startsWith('sweep-')) continue;
    await enqueueRun(database.db, schedule, { now, runAt: now });
    // A run that already waits is for the time before the jump.
    await database.db
      .updateTable('jobs')
      .set({ run_at: now })
      .where('name', '=', schedule.name)
      .where('run_at', '>', now)
      .execute();
  }
  await worker.runDue();
}

type SiteOptions = {
  clock: { now: () => number };
  settings: Record<string, string>;
  /** Before the site is reached by anyone. */
  prepare?: (deps: Deps) => Promise<unknown>;
};

/** The real site with one mix, a clock that the test moves, and jobs that run when it says so. */
export async function startClockedSite({ clock, settings, prepare }: SiteOptions) {
  const dataDir = await mkdtemp(join(tmpdir(), 'e2e-clocked-'));
  const port = await findFreePort();
  const origin = `http://127.0.0.1:${port}`;
  const mails: MailMessage[] = [];
  const lines: string[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString());
      done();
    },
  });
  const config = parseConfig({
    DATA_DIR: dataDir,
    APP_ORIGIN: origin,
    PORT: String(port),
    ...settings,
  });
  const deps = await createDeps(config, {
    clock,
    log: createLog('warn', stream),
    mail: { send: async (message) => void mails.push(message), close: () => undefined },
  });
  await migrate(deps.database, clock.now());
  const { db } = deps.database;
  const track = await seedTrack({ db, storage: deps.storage, now: clock.now() });
  await prepare?.(deps);
  const worker = createWorker({ deps, jobs: jobList });
  deps.jobs.attach({ wake: () => undefined, probe: () => probeQueue(db, clock.now()) });
  const app = await buildApp(deps);
  await app.listen({ host: '127.0.0.1', port });
  return {
    origin,
    trackId: track.id,
    /** Runs what is due, including everything that runs every hour or day. */
    runJobs: () => runSchedules(deps, worker),
    /** The messages since the last call. */
    takeMails: () => mails.splice(0),
    /** Sessions would expire while months pass. */
    keepSessions: async () => {
      const expires_at = Date.UTC(2090, 0);
      await db.updateTable('sessions').set({ created_at: expires_at, expires_at }).execute();
    },
    /** As if everyone had opened the link that was mailed to them. */
    verifyEmails: async () => {
      await worker.runDue();
      await db.updateTable('users').set({ email_verified_at: clock.now() }).execute();
    },
    /** Errors in the server’s log. */
    errors: () => findErrorLines(lines),
    close: async () => {
      await app.close();
      await worker.stop();
      await closeDeps(deps);
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
