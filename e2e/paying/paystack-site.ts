import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import type { BrowserContext } from '@playwright/test';
import { buildApp } from '#server/app.ts';
import { parseConfig } from '#server/config.ts';
import { migrate } from '#server/db/schema/migrate.ts';
import { closeDeps, createDeps, type Deps } from '#server/deps.ts';
import { runAdminCommand } from '#server/features/console/service.ts';
import { createLog } from '#server/log/log.ts';
import { jobList } from '#server/job-list.ts';
import { probeQueue } from '#server/jobs/jobs-handle.ts';
import { enqueueRun, toSchedule } from '#server/jobs/schedules.ts';
import { createWorker, type Worker } from '#server/jobs/worker.ts';
import type { MailMessage } from '#server/ports/mail/mail.ts';
import {
  PAYSTACK_KEY,
  startFakePaystack,
  type FakePaystack,
} from '#server/testing/fake-paystack.ts';
import type { Delivery } from '#server/testing/payments-contract/subject.ts';
import { seedTrack } from '#server/testing/seed-track.ts';
import { findFreePort } from '../../tools/testing/free-port.ts';
import { findErrorLines } from '../support/server-process.ts';

export const ADMIN = {
  username: 'naledi',
  email: 'naledi@example.com',
  password: 'quiet-harbour-23',
};

/** The 15th, so that every month has this day. */
const START = Date.UTC(2027, 0, 15, 10);

export type PaystackSite = {
  origin: string;
  paystack: FakePaystack;
  trackId: string;
  now: () => number;
  /** Lets time pass here and at Paystack. */
  passTo: (time: number) => void;
  /** Delivers Paystack's events over HTTP, after `choose` has lost, doubled or reordered some. */
  deliver: (choose?: (events: Delivery[]) => Delivery[]) => Promise<void>;
  /** Runs what is due, including everything that runs every hour or day. */
  runJobs: () => Promise<void>;
  /** The messages sent since the last call, as recipient and subject. */
  takeMails: () => string[];
  /** Sessions would expire while months pass. */
  keepSessions: () => Promise<void>;
  /** As if everyone had opened the link that was mailed to them. */
  verifyEmails: () => Promise<void>;
  /** Errors in the server's log. */
  errors: () => string[];
  close: () => Promise<void>;
};

export async function runSchedules({ database, clock }: Deps, worker: Worker) {
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

async function post(url: string, { headers, rawBody }: Delivery) {
  const sent = {
    method: 'POST',
    headers,
    body: new Uint8Array(rawBody),
  };
  const answer = await fetch(url, sent);
  if (!answer.ok) throw new Error(`The webhook answered ${answer.status}.`);
}

/** The real site in production mode, whose payment provider is Paystack as its documentation describes it. */
export async function startPaystackSite(): Promise<PaystackSite> {
  const dataDir = await mkdtemp(join(tmpdir(), 'e2e-paystack-'));
  const port = await findFreePort();
  const origin = `http://127.0.0.1:${port}`;
  let time = START;
  const clock = { now: () => time };
  const paystack = await startFakePaystack(clock);
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
    // Its administrator works for a year with a password.
    ADMIN_TWO_STEP: 'optional',
    PORT: String(port),
    PAYMENTS: 'paystack',
    PAYSTACK_API: paystack.origin,
    PAYSTACK_SECRET_KEY: PAYSTACK_KEY,
  });
  const deps = await createDeps(config, {
    clock,
    log: createLog('warn', stream),
    mail: { send: async (message) => void mails.push(message), close: () => undefined },
  });
  await migrate(deps.database, clock.now());
  const { db } = deps.database;
  const track = await seedTrack({ db, storage: deps.storage, now: clock.now() });
  await runAdminCommand(deps, ['create', ADMIN.username, ADMIN.email], {
    askPassword: async () => ADMIN.password,
  });
  const worker = createWorker({ deps, jobs: jobList });
  // The test decides when jobs run.
  deps.jobs.attach({ wake: () => undefined, probe: () => probeQueue(db, clock.now()) });
  const app = await buildApp(deps);
  await app.listen({ host: '127.0.0.1', port });
  return {
    origin,
    paystack,
    trackId: track.id,
    now: clock.now,
    passTo: (to) => {
      time = to;
    },
    deliver: async (choose = (events) => events) => {
      for (const event of choose(paystack.drainWebhooks()))
        await post(`${origin}/api/webhooks/paystack`, event);
    },
    runJobs: async () => {
      // The second round does what one schedule leaves to another, such as mails about a failed charge.
      for (let round = 0; round < 2; round += 1) await runSchedules(deps, worker);
    },
    // This clock is months ahead of the provider's, as the operator is told.
    takeMails: () =>
      mails
        .splice(0)
        .filter(({ subject }) => !/^Now at | needs? you$/.test(subject))
        .map(({ to, subject }) => `${to}: ${subject}`),
    keepSessions: async () => {
      await db
        .updateTable('sessions')
        .set({ created_at: Date.UTC(2090, 0), expires_at: Date.UTC(2090, 0) })
        .execute();
    },
    verifyEmails: async () => {
      await worker.runDue();
      await db.updateTable('users').set({ email_verified_at: time }).execute();
    },
    errors: () => findErrorLines(lines),
    close: async () => {
      await app.close();
      await worker.stop();
      await closeDeps(deps);
      await paystack.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

const page = (title: string, body: string) => ({
  contentType: 'text/html',
  body: `<!doctype html><html lang="en"><title>${title}</title><h1>${title}</h1>${body}</html>`,
});
const goTo = (url: string) =>
  page('One moment', `<script>location.replace(${JSON.stringify(url)})</script>`);

/** Paystack's own page, where customers pay with the card they used before, or with another one. */
export async function openPaystackPages(context: BrowserContext, { paystack }: PaystackSite) {
  await context.route('https://checkout.paystack.com/**', async (route) => {
    const url = new URL(route.request().url());
    const [, code = '', card] = url.pathname.split('/');
    const payment = paystack.transactions.find(({ id }) => code === `access_${id}`);
    if (!payment?.callbackUrl) return route.fulfill({ status: 404 });
    if (!card)
      return route.fulfill(
        page(
          'Paystack',
          `<p>R${payment.amount / 100}</p><a href="/${code}/first">Pay</a> <a href="/${code}/second">Use another card</a>`,
        ),
      );
    paystack.pay(payment.reference, card);
    const back = new URL(payment.callbackUrl);
    back.searchParams.set('trxref', payment.reference);
    back.searchParams.set('reference', payment.reference);
    return route.fulfill(goTo(back.href));
  });
}
