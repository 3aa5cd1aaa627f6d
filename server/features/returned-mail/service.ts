import type { Db, Tx } from '../../db/connect.ts';
import type { Deps } from '../../deps.ts';
import { findSentMessage, hashMessageKey } from '../../ports/mail/message-ids.ts';
import {
  findRefusal,
  listReports,
  noteReport,
  recordRefusal,
} from '../../ports/mail/refused-addresses.ts';
import { findUserByLogin, toAccountKey } from '../accounts/service.ts';
import { publishSignal } from '../live/service.ts';
import { savePreferences } from '../preferences/service.ts';
import { parseReport, type ReportKind } from './parse-report.ts';

type Report = {
  email: string;
  kind: ReportKind;
  reason: string;
  source: 'bounce' | 'webhook';
  at: number;
  /** Which message it is about, if that is known. */
  messageHash: string | null;
};

/** Its key names it, and only the hash of that travels. */
async function markReturned(tx: Tx, userId: string, { messageHash, at }: Report) {
  if (messageHash === null) return;
  const sent = await tx
    .selectFrom('sent_messages')
    .select('key')
    .where('user_id', '=', userId)
    .where('bounced_at', 'is', null)
    .execute();
  const key = sent.find((message) => hashMessageKey(message.key) === messageHash)?.key;
  if (key === undefined) return;
  await tx.updateTable('sent_messages').set({ bounced_at: at }).where('key', '=', key).execute();
}

/** The same report again changes nothing. */
export async function recordReport(tx: Tx, report: Report): Promise<void> {
  const { email, kind, reason, source, at } = report;
  if (kind === 'permanent') await recordRefusal(tx, { email, reason, source }, at);
  else await noteReport(tx, { email, kind, reason, reported_at: at });
  const user = await findUserByLogin(tx, toAccountKey(email));
  if (!user) return;
  // Receipts and resets still arrive: whoever calls them spam has asked for them.
  if (kind === 'complaint')
    await savePreferences(tx, user.id, { releaseMails: false, newsMails: false }, at);
  if (kind === 'permanent') await markReturned(tx, user.id, report);
  await publishSignal(tx, `user:${user.id}`, at);
}

/**
 * `not-ours`: it doesn’t prove that it is about a mail that we sent to this address, and anybody can
 * write one that says so.
 */
export type ReportOutcome = 'recorded' | 'not-ours' | 'no-report';

/** What a mail reports that came back, ready to be recorded in a transaction. */
export async function readReport(
  { database: { db } }: Pick<Deps, 'database'>,
  raw: Uint8Array,
  { source, at }: Pick<Report, 'source' | 'at'>,
): Promise<{ outcome: ReportOutcome; reports: Report[] }> {
  const reported = await parseReport(raw);
  const reports: Report[] = [];
  let isOurs = false;
  for (const { kind, reason, addresses, messageIds } of reported) {
    const sent = await findSentMessage(db, messageIds, addresses);
    if (!sent) continue;
    isOurs = true;
    if (kind !== null) reports.push({ ...sent, kind, reason, source, at });
  }
  const outcome = isOurs ? 'recorded' : reported.length > 0 ? 'not-ours' : 'no-report';
  return { outcome, reports };
}

export async function recordReports(
  { database }: Pick<Deps, 'database'>,
  reports: readonly Report[],
): Promise<void> {
  await database.db.transaction().execute(async (tx) => {
    for (const report of reports) await recordReport(tx, report);
  });
}

/** Whether mail arrives at an address, as far as we know. */
export async function readMailState(db: Db, email: string) {
  const refusal = await findRefusal(db, email);
  const reports = await listReports(db, email);
  return {
    stopped: refusal
      ? { at: refusal.refused_at, reason: refusal.reason, source: refusal.source }
      : null,
    reports: reports.map(({ kind, reason, reported_at: at }) => ({ kind, reason, at })),
  };
}
