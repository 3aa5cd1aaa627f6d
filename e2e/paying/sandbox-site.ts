import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { buildApp } from '#server/app.ts';
import { parseConfig } from '#server/config.ts';
import { migrate } from '#server/db/schema/migrate.ts';
import { closeDeps, createDeps } from '#server/deps.ts';
import { createLog } from '#server/log/log.ts';
import { jobList } from '#server/job-list.ts';
import { probeQueue } from '#server/jobs/jobs-handle.ts';
import { createWorker } from '#server/jobs/worker.ts';
import type { MailMessage } from '#server/ports/mail/mail.ts';
import { seedTrack } from '#server/testing/seed-track.ts';
import { findFreePort } from '../../tools/testing/free-port.ts';
import { runSchedules } from './paystack-site.ts';
import { findErrorLines } from '../support/server-process.ts';

export type SandboxSite = Awaited<ReturnType<typeof startSandboxSite>>;

/** The real site with test payments and a clock that the test moves. */
export async function startSandboxSite(start: number) {
  const dataDir = await mkdtemp(join(tmpdir(), 'e2e-sandbox-'));
  const port = await findFreePort();
  const origin = `http://127.0.0.1:${port}`;
  let time = start;
  const clock = { now: () => time };
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
    PAYMENTS: 'sandbox',
  });
  const deps = await createDeps(config, {
    clock,
    log: createLog('warn', stream),
    mail: { send: async (message) => void mails.push(message), close: () => undefined },
  });
  await migrate(deps.database, clock.now());
  const { db } = deps.database;
  const track = await seedTrack({ db, storage: deps.storage, now: clock.now() });
  const worker = createWorker({ deps, jobs: jobList });
  // The test decides when jobs run.
  deps.jobs.attach({ wake: () => undefined, probe: () => probeQueue(db, clock.now()) });
  const app = await buildApp(deps);
  await app.listen({ host: '127.0.0.1', port });
  return {
    origin,
    trackId: track.id,
    now: clock.now,
    /** Time passes, everything that is due runs, and nobody is logged out. */
    passTo: async (to: number) => {
      time = to;
      const expires_at = Date.UTC(2090, 0);
      await db.updateTable('sessions').set({ created_at: expires_at, expires_at }).execute();
      await db.updateTable('users').set({ email_verified_at: start }).execute();
      await runSchedules(deps, worker);
    },
    /** The messages since the last call. */
    takeMails: () => mails.splice(0),
    errors: () => findErrorLines(lines),
    close: async () => {
      await app.close();
      await worker.stop();
      await closeDeps(deps);
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
