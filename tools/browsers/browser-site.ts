import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { DAY } from '#contract/rules/time.ts';
import { hashPassword } from '#server/background/passwords.ts';
import { parseConfig } from '#server/config.ts';
import { buildUser, buildUsernameLook } from '#server/db/build-rows.ts';
import { migrate } from '#server/db/schema/migrate.ts';
import { closeDeps, createDeps } from '#server/deps.ts';
import { jobList } from '#server/job-list.ts';
import { createWorker } from '#server/jobs/worker.ts';
import { findErrorLines, serverEnv, startServerProcess } from '../../e2e/support/server-process.ts';
import { addMixes } from '../clients/client-site.ts';
import { findFreePort } from '../testing/free-port.ts';

export const PASSWORD = 'quiet-harbour-23';

/** A request for audio, and what was sent for it so far. */
export type AudioRequest = { path: string; status: number; bytes: number };

export type BrowserSite = {
  /** With a name, because browsers have no passkeys for a bare address. */
  origin: string;
  mixes: { id: string; title: string }[];
  audio: AudioRequest[];
  /** As if the device had no connection to the site. */
  cutLine: () => void;
  restoreLine: () => Promise<void>;
  /** All browsers share one address, which may register only so many accounts an hour. */
  resetRegistrationLimit: () => void;
  /** What the server logged as an error. */
  errors: () => string[];
  close: () => Promise<void>;
};

/** Each journey logs in to an account of its own kind, in several browsers at the same time. */
async function seed(env: NodeJS.ProcessEnv): Promise<{ id: string; title: string }[]> {
  const deps = await createDeps(parseConfig({ ...env, LOG_LEVEL: 'error' }));
  const { database, clock } = deps;
  await migrate(database, clock.now());
  const worker = createWorker({ deps, jobs: jobList });
  deps.jobs.attach(worker);
  const mixes = await addMixes(deps);
  const password_hash = await hashPassword(PASSWORD);
  for (const username of ['member', 'operator'])
    await database.db
      .insertInto('users')
      .values(
        buildUser({
          id: username,
          username_look: await buildUsernameLook(username),
          password_hash,
          is_admin: username === 'operator' ? 1 : 0,
          paid_through: clock.now() + 300 * DAY,
          created_at: clock.now() - 10 * DAY,
        }),
      )
      .execute();
  await worker.runDue();
  await worker.stop();
  await closeDeps(deps);
  return mixes;
}

/**
 * A site in a process of its own, with three mixes from real masters and the test provider of payments.
 * What browsers send passes a line here, which can be cut and knows what audio was sent.
 */
export async function startBrowserSite(folder: string): Promise<BrowserSite> {
  const [port, serverPort] = [await findFreePort(), await findFreePort()];
  const origin = `http://localhost:${port}`;
  const env = {
    ...serverEnv(serverPort, folder),
    APP_ORIGIN: origin,
    ADMIN_TWO_STEP: 'optional',
  };
  const mixes = await seed(env);
  const { server, output } = await startServerProcess(env, `http://127.0.0.1:${serverPort}`);
  const audio: AudioRequest[] = [];

  const pass = (incoming: IncomingMessage, answer: ServerResponse) => {
    const { method, url = '/', headers } = incoming;
    const outgoing = request({ host: '127.0.0.1', port: serverPort, method, path: url, headers });
    outgoing.on('response', (response) => {
      answer.writeHead(response.statusCode ?? 502, response.rawHeaders);
      if (url.startsWith('/media/tracks/')) {
        const seen = { path: url, status: response.statusCode ?? 0, bytes: 0 };
        audio.push(seen);
        response.on('data', (chunk: Buffer) => (seen.bytes += chunk.length));
      }
      response.pipe(answer);
    });
    outgoing.on('error', () => answer.destroy());
    // A browser that has heard enough closes the line.
    answer.on('close', () => outgoing.destroy());
    incoming.pipe(outgoing);
  };
  const line = createServer(pass);
  const listen = () => once(line.listen(port, '127.0.0.1'), 'listening');
  await listen();

  return {
    origin,
    mixes,
    audio,
    cutLine: () => {
      line.close();
      line.closeAllConnections();
    },
    restoreLine: async () => void (await listen()),
    resetRegistrationLimit: () => {
      const { dataDir } = parseConfig(env);
      const database = new DatabaseSync(join(dataDir, 'database.sqlite'), { timeout: 10_000 });
      database.exec("delete from rate_limits where key like 'register-address:%'");
      database.close();
    },
    errors: () => findErrorLines(output),
    close: async () => {
      line.close();
      line.closeAllConnections();
      if (server.exitCode !== null || server.signalCode !== null) return;
      const exited = once(server, 'exit');
      server.kill('SIGTERM');
      await exited;
    },
  };
}
