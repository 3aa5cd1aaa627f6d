import type { Db } from '../../db/connect.ts';
import { newId } from '../../db/ids.ts';
import { findMailProblem } from './find-mail-problem.ts';
import { UncertainSend, type Mail, type MailMessage, type SendOptions } from './mail.ts';
import { countMail, endPauses, pauseBulkMail } from './mail-pace.ts';
import { buildMessageId } from './message-ids.ts';
import { AddressRefused, findRefusal, recordRefusal } from './refused-addresses.ts';

/** The mail server takes no more mails from anyone here before that time. */
export class MailOverLimit extends Error {
  override name = 'MailOverLimit';
  readonly until: number;

  constructor(until: number, cause: Error) {
    super(cause.message, { cause });
    this.until = until;
  }
}

type Site = { database: { db: Db }; clock: { now: () => number } };

/** What the site learns from an error. Returns the error that the sender gets. */
async function learn({ database: { db }, clock }: Site, to: string, error: unknown) {
  const now = clock.now();
  const problem = findMailProblem(error);
  if (problem.kind === 'address-refused') {
    await recordRefusal(db, { email: to, reason: problem.reason, source: 'server' }, now);
    return new AddressRefused(problem.reason);
  }
  const isLost = problem.kind === 'unavailable' || error instanceof UncertainSend;
  if (!(error instanceof Error) || (problem.kind !== 'over-limit' && !isLost)) return error;
  const reason = error.message;
  if (problem.kind !== 'over-limit') {
    await pauseBulkMail(db, { kind: 'unavailable', reason, forMs: null }, now);
    return error;
  }
  const { retryAfterMs: forMs } = problem;
  return new MailOverLimit(
    await pauseBulkMail(db, { kind: 'over-limit', reason, forMs }, now),
    error,
  );
}

/**
 * The mail of the site: every message counts towards its pace, none goes to an address that refuses
 * mail, and what the mail server answers decides when mail to many goes on.
 */
export const createSiteMail = (mail: Mail, site: Site): Mail => ({
  async send(message: MailMessage, options: SendOptions = {}) {
    const { db } = site.database;
    const { to, key } = message;
    const refusal = options.triesRefused ? undefined : await findRefusal(db, to);
    if (refusal) throw new AddressRefused(refusal.reason);
    await countMail(db, site.clock.now());
    const messageId = await buildMessageId(db, key ?? newId(site.clock.now()), to);
    try {
      await mail.send(message, { ...options, messageId });
    } catch (error) {
      throw await learn(site, to, error);
    }
    await endPauses(db, site.clock.now());
  },
  close: () => mail.close(),
});
