import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { BrowserContext } from '@playwright/test';
import { PREVIEW_SECONDS } from '#contract/rules/preview.ts';
import { weekOf } from '#contract/rules/weeks.ts';
import { parseConfig } from '../../server/config.ts';
import { findFreePort } from '../../tools/testing/free-port.ts';
import { DEMO_PASSWORD, expect, test as base } from './fixtures.ts';
import {
  findErrorLines,
  serverEnv,
  startServerProcess,
  type ServerProcess,
} from './server-process.ts';
import { writeToneWav } from './tone-wav.ts';

export type OwnServer = {
  origin: string;
  dataDir: string;
  /** With SIGKILL, like a power cut. */
  kill: () => Promise<void>;
  /** Starts it again at the same address. */
  restart: () => Promise<void>;
  withDatabase: <T>(use: (database: DatabaseSync) => T) => T;
  /** What it has printed since its last start. */
  readOutput: () => string;
};

/** A separate server with its own catalogue, which a test may kill. */
export const test = base.extend<{
  ownServer: OwnServer;
  /** Further settings of the server, which may depend on its address. */
  settings: (origin: string) => NodeJS.ProcessEnv;
}>({
  // Playwright would call a function that stands here by itself.
  settings: [async ({}, use) => use(() => ({})), { option: true }],

  ownServer: async ({ context, settings }, use) => {
    const folder = await mkdtemp(join(tmpdir(), 'e2e-own-'));
    const port = await findFreePort();
    const origin = `http://127.0.0.1:${port}`;
    // Short enough for a month to pass within a test.
    const env = {
      ...serverEnv(port, folder),
      SANDBOX_MONTH_SECONDS: '4',
      ...settings(origin),
    };
    const { dataDir } = parseConfig(env);
    let running: ServerProcess = await startServerProcess(env, origin);
    const stop = async (signal: 'SIGKILL' | 'SIGTERM') => {
      const { server } = running;
      // A test that fails may leave it killed.
      if (server.exitCode === null && server.signalCode === null) {
        const exited = once(server, 'exit');
        server.kill(signal);
        await exited;
      }
      expect(findErrorLines(running.output), 'errors in the server log').toEqual([]);
    };
    await use({
      origin,
      dataDir,
      readOutput: () => running.output.join(''),
      kill: () => stop('SIGKILL'),
      restart: async () => {
        running = await startServerProcess(env, origin);
      },
      withDatabase: (read) => {
        const database = new DatabaseSync(join(dataDir, 'database.sqlite'), { timeout: 10_000 });
        try {
          return read(database);
        } finally {
          database.close();
        }
      },
    });
    // An open page would report that the server is gone.
    await context.close();
    await stop('SIGTERM');
    await rm(folder, { recursive: true, force: true });
  },
});

export async function signInTo(
  context: BrowserContext,
  origin: string,
  username: string,
): Promise<void> {
  const answer = await context.request.post(`${origin}/api/auth/login`, {
    data: { username, password: DEMO_PASSWORD },
    headers: { origin },
  });
  expect(answer.ok(), await answer.text()).toBe(true);
}

type Mix = {
  id: string;
  title: string;
  year: number;
  week: number;
  genre: string | null;
  publishAt: number;
};

/** Adds one of a minute that plays. */
export const addMix = ({ dataDir, withDatabase }: OwnServer, mix: Partial<Mix> = {}): void =>
  withDatabase((database) => {
    const { id = 'mix', title = 'A mix', week = 40, genre = null, publishAt = 0 } = mix;
    const { year = weekOf(Date.now(), 'Africa/Johannesburg').year } = mix;
    database
      .prepare(
        `insert into tracks (id, title, year, week, description, genre, duration_ms, chapters,
           status, progress, is_subscriber_only, publish_at, play_count, created_at, updated_at)
         values (?, ?, ?, ?, '', ?, 60000, '[]', 'ready', 100, 0, ?, 0, 0, 0)`,
      )
      .run(id, title, year, week, genre, publishAt);
    mkdirSync(join(dataDir, 'files', 'tracks'), { recursive: true });
    for (const [name, seconds] of [
      ['stream', 60],
      ['preview', PREVIEW_SECONDS],
    ] as const) {
      const key = `tracks/${id}-${name}.wav`;
      const sound = writeToneWav(seconds);
      writeFileSync(join(dataDir, 'files', key), sound);
      database
        .prepare(
          `insert into renditions (track_id, name, key, size, media_type)
           values (?, ?, ?, ?, 'audio/wav')`,
        )
        .run(id, name, key, sound.length);
    }
  });

export { expect };
