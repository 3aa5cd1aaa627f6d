import { DAY, MINUTE } from '#contract/rules/time.ts';
import type { Db, Tx } from '../../db/connect.ts';
import type { OperationsTables } from '../../db/types/operations-tables.ts';
import type { Deps } from '../../deps.ts';
import { defineSchedule } from '../../jobs/define-job.ts';
import { nameMailbox, openMailbox, type Mailbox } from '../../ports/mail/mailbox.ts';
import { readReport, recordReport, type ReportOutcome } from './service.ts';

type Position = OperationsTables['read_mailboxes'];

/** What came back before that says little about today. */
const FIRST_LOOK_MS = 14 * DAY;
const MAX_PER_RUN = 500;

const findPosition = (db: Db, mailbox: string): Promise<Position | undefined> =>
  db.selectFrom('read_mailboxes').selectAll().where('mailbox', '=', mailbox).executeTakeFirst();

/** So that each mail is read once, whatever happens to the process, and whoever else reads. */
async function savePosition(tx: Tx, before: Position | undefined, after: Position) {
  const saved = before
    ? await tx
        .updateTable('read_mailboxes')
        .set(after)
        .where('mailbox', '=', before.mailbox)
        .where('uid_validity', '=', before.uid_validity)
        .where('last_uid', '=', before.last_uid)
        .returning('last_uid')
        .executeTakeFirst()
    : await tx
        .insertInto('read_mailboxes')
        .values(after)
        .onConflict((conflict) => conflict.doNothing())
        .returning('last_uid')
        .executeTakeFirst();
  if (!saved) throw new Error('Another worker reads this mailbox.');
}

/** A mail that we can’t read is one for people: it stays where it is, unread. */
async function readMail(deps: Deps, mailbox: Mailbox, uid: number) {
  const now = deps.clock.now();
  const mail = await mailbox.read(uid);
  if (!mail) return { arrivedAt: 0, outcome: 'no-report' as const, reports: [] };
  const arrivedAt = Math.min(mail.arrivedAt || now, now);
  try {
    const report = await readReport(deps, mail.raw, { source: 'bounce', at: arrivedAt });
    return { arrivedAt, ...report };
  } catch (error) {
    deps.log.warn({ err: error, uid }, 'A returned e-mail could not be read.');
    return { arrivedAt, outcome: 'no-report' as const, reports: [] };
  }
}

export async function readMailbox(
  deps: Deps,
  mailbox: Mailbox,
  { name, signal }: { name: string; signal: AbortSignal },
): Promise<Record<ReportOutcome, number>> {
  const { database, clock } = deps;
  const { uidValidity } = mailbox;
  let position = await findPosition(database.db, name);
  const isKnown = position?.uid_validity === uidValidity;
  const since = position?.arrived_at ?? clock.now() - FIRST_LOOK_MS;
  const uids = await mailbox.list(isKnown && position ? { uid: position.last_uid } : { since });
  const counts = { recorded: 0, 'not-ours': 0, 'no-report': 0 };
  for (const uid of uids.slice(0, MAX_PER_RUN)) {
    signal.throwIfAborted();
    const { arrivedAt, outcome, reports } = await readMail(deps, mailbox, uid);
    // Numbered anew, mails that we have read are there again.
    const isOld = !isKnown && position !== undefined && arrivedAt <= since;
    const after: Position = {
      mailbox: name,
      uid_validity: uidValidity,
      last_uid: uid,
      arrived_at: Math.max(position?.arrived_at ?? 0, arrivedAt),
    };
    const before = position;
    await database.db.transaction().execute(async (tx) => {
      await savePosition(tx, before, after);
      if (!isOld) for (const report of reports) await recordReport(tx, report);
    });
    position = after;
    counts[outcome] += 1;
    if (outcome === 'recorded') await mailbox.markRead(uid);
  }
  return counts;
}

/** Of the reports about our mail in the operator’s mailbox, each is recorded once and marked as read. */
export const readReturnedMail = defineSchedule({
  name: 'read-returned-mail',
  everyMs: 5 * MINUTE,
  lane: 'outside',
  run: async (deps: Deps, { signal }) => {
    const { imapUrl } = deps.config;
    if (imapUrl === null) return;
    const mailbox = await openMailbox(imapUrl, signal);
    try {
      const counts = await readMailbox(deps, mailbox, { name: nameMailbox(imapUrl), signal });
      if (Object.values(counts).some((count) => count > 0))
        deps.log.info(counts, 'Read the mailbox of returned e-mails.');
    } finally {
      await mailbox.close();
    }
  },
});
