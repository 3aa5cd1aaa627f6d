import { connect, type DatabaseSettings } from '../db/connect.ts';
import { migrate } from '../db/schema/migrate.ts';
import type { SiteLocation } from '../features/backup/save-backup.ts';
import { createWorker } from '../jobs/worker.ts';
import { recordJob, type RecordDeps } from './record-job.ts';

/**
 * A second process on the database of a test. It reports that it is ready, runs the command it is
 * sent, reports the result, and ends.
 */
export type ChildTask = {
  settings: DatabaseSettings;
  now: number;
  do:
    | { kind: 'migrate' }
    | { kind: 'work'; hangAt: RecordDeps['hangAt']; name: string }
    /** Sends e-mails about payments and releases; stops for good just before the last line of each if told to. */
    | { kind: 'mail'; smtpUrl: string; hangsBeforeEnd: boolean }
    /** Plans the mail about what needs a hand, and sends it. */
    | { kind: 'attention'; smtpUrl: string }
    /** Kills itself when it reports a line that starts with this. */
    | { kind: 'restore'; place: SiteLocation; folder: string; dieAt: string }
    | { kind: 'backup'; place: SiteLocation; folder: string; scratch: string; dieAt: string };
};

export type ChildMessage =
  | { kind: 'ready' }
  | { kind: 'hanging' }
  | { kind: 'migrated'; applied: string[] }
  | { kind: 'restored' }
  | { kind: 'saved' }
  | { kind: 'told' }
  | { kind: 'worked'; runs: number };

const task = JSON.parse(process.argv[2] ?? '') as ChildTask;
const say = (message: ChildMessage): void => {
  process.send?.(message);
};
const log = { info: () => undefined, warn: () => undefined, error: console.error };

const dieWhenReporting = (dieAt: string) => (line: string) => {
  if (line.startsWith(dieAt)) process.kill(process.pid, 'SIGKILL');
};

async function restore({ place, folder, dieAt }: ChildTask['do'] & { kind: 'restore' }) {
  // Imports all jobs of the server, which a worker of one job must not find.
  const { restoreBackup } = await import('../features/backup/restore-backup.ts');
  const report = dieWhenReporting(dieAt);
  await restoreBackup(place, folder, { now: task.now, isReplacing: true, report });
}

async function backUp({ place, folder, scratch, dieAt }: ChildTask['do'] & { kind: 'backup' }) {
  const { runBackup } = await import('../features/backup/run-backup.ts');
  const { db, close } = connect(task.settings, log);
  const report = dieWhenReporting(dieAt);
  const order = { site: place, folder, scratch, isUsual: true };
  await runBackup(order, { db, clock: () => task.now, report });
  await close();
}

/** Runs the jobs that send receipts and release mails, against a real mail server. */
async function sendMail({ smtpUrl, hangsBeforeEnd }: ChildTask['do'] & { kind: 'mail' }) {
  const { createDeps } = await import('../deps.ts');
  const { parseConfig } = await import('../config.ts');
  const { createSmtpMail } = await import('../ports/mail/mail.ts');
  const { sendBillingMessage } = await import('../features/billing/billing-mail/send-messages.ts');
  const { sendReleaseMail } = await import('../features/releases/jobs.ts');
  const smtp = createSmtpMail({ url: smtpUrl, from: 'Music <music@example.com>' });
  const hang = () => {
    say({ kind: 'hanging' });
    return new Promise<never>(() => undefined);
  };
  const mail: typeof smtp = hangsBeforeEnd
    ? { ...smtp, send: (message) => smtp.send(message, { beforeHandOver: hang }) }
    : smtp;
  const database = connect(task.settings, log);
  const deps = await createDeps(parseConfig({ LOG_LEVEL: 'silent' }), {
    database,
    mail,
    clock: { now: () => task.now },
  });
  const worker = createWorker({ deps, jobs: [sendBillingMessage, sendReleaseMail], defined: [] });
  const runs = await worker.runDue();
  mail.close();
  await database.close();
  return runs;
}

async function tellAdministrators({ smtpUrl }: ChildTask['do'] & { kind: 'attention' }) {
  const { createDeps } = await import('../deps.ts');
  const { parseConfig } = await import('../config.ts');
  const { createSmtpMail } = await import('../ports/mail/mail.ts');
  const { planMails } = await import('../features/attention/plan-mails.ts');
  const { sendAttentionMail } = await import('../features/attention/attention-mail.ts');
  const mail = createSmtpMail({ url: smtpUrl, from: 'Music <music@example.com>' });
  const database = connect(task.settings, log);
  const config = { ...parseConfig({ LOG_LEVEL: 'silent' }), demo: false };
  const deps = await createDeps(config, { database, mail, clock: { now: () => task.now } });
  await planMails(deps);
  const worker = createWorker({ deps, jobs: [sendAttentionMail], defined: [] });
  await worker.runDue();
  mail.close();
  await database.close();
}

const perform = async (): Promise<ChildMessage> => {
  if (task.do.kind === 'restore') {
    await restore(task.do);
    return { kind: 'restored' };
  }
  if (task.do.kind === 'backup') {
    await backUp(task.do);
    return { kind: 'saved' };
  }
  if (task.do.kind === 'attention') {
    await tellAdministrators(task.do);
    return { kind: 'told' };
  }
  if (task.do.kind === 'mail') return { kind: 'worked', runs: await sendMail(task.do) };
  const database = connect(task.settings, log);
  try {
    if (task.do.kind === 'migrate') {
      return { kind: 'migrated', applied: await migrate(database, task.now) };
    }
    const deps: RecordDeps = {
      database,
      log,
      clock: { now: () => task.now },
      hangAt: task.do.hangAt,
      recordedBy: task.do.name,
      onHang: () => say({ kind: 'hanging' }),
    };
    return { kind: 'worked', runs: await createWorker({ deps, jobs: [recordJob] }).runDue() };
  } finally {
    await database.close();
  }
};

process.once('message', () => {
  void perform().then((message) => {
    say(message);
    process.disconnect();
    return message;
  });
});
// Also when the test's process is gone: open connections would keep this one alive.
process.once('disconnect', () => process.exit());
say({ kind: 'ready' });
