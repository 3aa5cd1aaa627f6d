import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify';
import { inject } from 'vitest';
import { buildApp } from '../app.ts';
import { settleBackgroundWrites } from '../background/background-writes.ts';
import { parseConfig, type Config } from '../config.ts';
import { createDeps, type Deps } from '../deps.ts';
import { toOrigin } from '../http/route/address.ts';
import { createLog } from '../log/log.ts';
import { jobList } from '../job-list.ts';
import { createWorker, type Worker } from '../jobs/worker.ts';
import type { Mail } from '../ports/mail/mail.ts';
import { createMedia } from '../ports/media/create-media.ts';
import { findFfmpeg } from '../ports/media/find-ffmpeg.ts';
import type { Media } from '../ports/media/media.ts';
import type { Payments } from '../ports/payments/payments.ts';
import { createSandbox, type Sandbox } from '../ports/payments/sandbox/sandbox.ts';
import type { Storage } from '../ports/storage/storage.ts';
import type { PasswordCost } from '../background/passwords.ts';
import { rememberDrawings, rememberRuns } from './remember-ffmpeg.ts';
import { createTestDatabase } from './test-database.ts';
import type {} from './vitest-context.ts';

type TestClock = { now: () => number; advance: (ms: number) => void };

/** An HTTP client that stores cookies like a browser. */
export type TestClient = {
  request: (options: InjectOptions) => Promise<LightMyRequestResponse>;
  cookies: Map<string, string>;
};

/** The cookie header of the client's next request, for requests made without the client. */
export const cookieOf = ({ cookies }: Pick<TestClient, 'cookies'>): string =>
  [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');

export type TestApp = {
  app: FastifyInstance;
  deps: Deps;
  clock: TestClock;
  worker: Worker;
  /** The provider behind `deps.payments`; tests deliver its events and renew subscriptions themselves. */
  sandbox: Sandbox;
  /** Every log line so far. */
  logText: () => string;
  createClient: () => TestClient;
  close: () => Promise<void>;
};

export type TestAppOptions = {
  env?: Record<string, string>;
  config?: Partial<Config>;
  mail?: Mail;
  storage?: Storage;
  payments?: Payments;
  /** With the page of the web app, as if it were built; otherwise there is none. */
  hasPage?: boolean;
};

const PAGE = join(import.meta.dirname, '../../web/index.html');

/** Settings of a provider that is never called. */
export const PROVIDER = {
  PAYMENTS: 'paystack',
  PAYSTACK_SECRET_KEY: 'sk_live_0123456789',
};

/** Tests register hundreds of users, so hashes are cheap; one test checks the real cost. */
const CHEAP: PasswordCost = { memoryCost: 64, timeCost: 1, parallelism: 1 };

let media: Promise<Media> | null = null;

/** Found once, because finding ffmpeg and its encoders takes longer than most runs of it. */
const findMedia = (): Promise<Media> => {
  media ??= findFfmpeg().then((ffmpeg) => {
    const folder = inject('ffmpegRuns');
    const made = createMedia(rememberRuns(ffmpeg, folder));
    return { ...made, convertDrawing: rememberDrawings(made.convertDrawing, folder) };
  });
  return media;
};

const START = Date.UTC(2026, 10, 15, 12);

function createClock(): TestClock {
  let now = START;
  return {
    now: () => now,
    advance: (ms) => {
      now += ms;
    },
  };
}

function createClient(app: FastifyInstance): TestClient {
  const cookies = new Map<string, string>();
  return {
    cookies,
    async request(options) {
      const sent = Object.fromEntries(cookies);
      const response = await app.inject({ ...options, cookies: sent });
      // A real client would notice no difference; tests look at once.
      await settleBackgroundWrites();
      for (const cookie of response.cookies) {
        if (cookie.value === '') cookies.delete(cookie.name);
        else cookies.set(cookie.name, cookie.value);
      }
      return response;
    },
  };
}

/** A public site must not accept test cards. */
const addProvider = (env: Record<string, string> = {}) => {
  const isPublic = env.APP_ORIGIN?.startsWith('https:') && !env.PAYMENTS;
  return isPublic ? { ...env, ...PROVIDER } : env;
};

/** The real server on a separate database, without a socket and with a clock that only tests move. */
export async function createTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const folder = await mkdtemp(join(tmpdir(), 'test-app-'));
  const database = await createTestDatabase();
  const clock = createClock();
  const lines: string[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString());
      done();
    },
  });
  const config = {
    ...parseConfig({ DATA_DIR: folder, LOG_LEVEL: 'trace', ...addProvider(options.env) }),
    webRoot: join(folder, 'web'),
    ...options.config,
  };
  await mkdir(config.dataDir, { recursive: true });
  if (options.hasPage) {
    await mkdir(join(config.webRoot, 'assets'), { recursive: true });
    await copyFile(PAGE, join(config.webRoot, 'index.html'));
  }
  const sandbox = createSandbox({
    database,
    clock,
    site: { origin: config.appOrigin ?? toOrigin(config.host, config.port) },
    timeZone: () => config.timeZone,
    monthMs: config.payments.provider === 'sandbox' ? config.payments.monthMs : null,
  });
  const deps = await createDeps(config, {
    payments: options.payments ?? sandbox.payments,
    database,
    clock,
    passwordCost: CHEAP,
    ...(config.ffmpegPath ? {} : { media: findMedia }),
    log: createLog(config.logLevel, stream),
    ...(options.mail ? { mail: options.mail } : {}),
    ...(options.storage ? { storage: options.storage } : {}),
  });
  const worker = createWorker({ deps, jobs: jobList });
  deps.jobs.attach(worker);
  const app = await buildApp(deps);
  return {
    app,
    deps,
    clock,
    worker,
    sandbox,
    logText: () => lines.join(''),
    createClient: () => createClient(app),
    close: async () => {
      await app.close();
      await worker.stop();
      deps.mail.close();
      await settleBackgroundWrites();
      await database.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
