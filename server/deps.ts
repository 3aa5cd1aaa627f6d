import { join } from 'node:path';
import { applyPageSettings, type Config, type PageSettings } from './config.ts';
import { settleBackgroundWrites } from './background/background-writes.ts';
import { connect, type Database, type DatabaseSettings } from './db/connect.ts';
import { watchKey } from './features/payment-issues/watch-key.ts';
import { sandboxWork } from './features/sandbox-checkout/jobs.ts';
import { outsideAccess } from './features/sessions/outside-access.ts';
import type { OutsideAccess } from './features/sessions/service.ts';
import { toOrigin } from './http/route/address.ts';
import { createLog, type Log } from './log/log.ts';
import { createJobsHandle, type JobsHandle } from './jobs/jobs-handle.ts';
import { createMail, type Mail } from './ports/mail/mail.ts';
import { createSiteMail } from './ports/mail/site-mail.ts';
import { createLazyMedia } from './ports/media/lazy-media.ts';
import type { Media } from './ports/media/media.ts';
import { createPayments } from './ports/payments/create-payments.ts';
import type { Payments } from './ports/payments/payments.ts';
import { createStorage } from './ports/storage/create-storage.ts';
import type { Storage } from './ports/storage/storage.ts';
import { OWASP_COST, type PasswordCost } from './background/passwords.ts';

type Clock = { now: () => number };

export type Deps = {
  /** From the environment and, where that sets nothing, from the settings page. */
  config: Config;
  pageSettings: { current: PageSettings | null };
  database: Database;
  storage: Storage;
  mail: Mail;
  /** Never call it inside a transaction: it calls another service, or the same database. */
  payments: Payments;
  /** Loaded on first use, because most processes never touch audio. */
  media: () => Promise<Media>;
  jobs: JobsHandle;
  /** What ends with an account's sessions. */
  outsideAccess: readonly OutsideAccess[];
  clock: Clock;
  log: Log;
  /** Of the files that this process runs. */
  commit: Promise<string | null>;
  /** The cost of hashing a new password. */
  passwordCost: PasswordCost;
  /** The origin of links in e-mails. In demo mode it is known once the server listens. */
  site: { origin: string };
};

export const databaseSettings = (config: Config): DatabaseSettings =>
  config.databaseUrl
    ? { kind: 'postgres', url: config.databaseUrl }
    : { kind: 'sqlite', file: join(config.dataDir, 'database.sqlite') };

/** What a test or a tool provides itself; the config decides the rest. */
export type DepsOverrides = Partial<
  Pick<
    Deps,
    | 'database'
    | 'storage'
    | 'mail'
    | 'media'
    | 'payments'
    | 'clock'
    | 'log'
    | 'commit'
    | 'passwordCost'
  >
>;

export async function createDeps(parsed: Config, overrides: DepsOverrides = {}): Promise<Deps> {
  const setOnPages: Deps['pageSettings'] = { current: null };
  const config = applyPageSettings(parsed, setOnPages);
  const clock = overrides.clock ?? { now: () => Date.now() };
  const log = overrides.log ?? createLog(config.logLevel);
  const database = overrides.database ?? connect(databaseSettings(config), log);
  const site = { origin: config.appOrigin ?? toOrigin(config.host, config.port) };
  const payments =
    overrides.payments ?? (await createPayments(config, { database, clock, site, sandboxWork }));
  return {
    config,
    pageSettings: setOnPages,
    database,
    storage: overrides.storage ?? createStorage(config),
    media: overrides.media ?? createLazyMedia(config.ffmpegPath),
    mail: createSiteMail(overrides.mail ?? createMail(config, database.db, clock), {
      database,
      clock,
    }),
    payments: watchKey(payments, { database, clock, log }),
    jobs: createJobsHandle(),
    outsideAccess,
    clock,
    log,
    commit: overrides.commit ?? Promise.resolve(null),
    passwordCost: overrides.passwordCost ?? OWASP_COST,
    site,
  };
}

export async function closeDeps(deps: Deps) {
  deps.mail.close();
  await settleBackgroundWrites();
  await deps.database.close();
}
