import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import type { MemberSource } from '#contract/admin/member-imports.ts';
import type { Tx } from '../../db/connect.ts';
import type { Deps } from '../../deps.ts';
import { defineJob } from '../../jobs/define-job.ts';
import { inviteMember, lockUserByEmail } from '../accounts/service.ts';
import { grantAccess, toLedgerContext } from '../billing/ledger/service.ts';
import { publishSignal } from '../live/service.ts';
import { savePreferences } from '../preferences/service.ts';
import { findOutcome } from './find-outcome.ts';
import {
  countOutcomes,
  findImport,
  listOpenLines,
  moveImport,
  updateLine,
  type ImportRow,
  type LineRow,
} from './queries.ts';

/** Few enough that no request waits long for the database. */
const LINES_AT_ONCE = 25;
/** Open pages ask again with every signal. */
const SIGNAL_MS = 1000;

const names: Record<MemberSource, string> = {
  ghost: 'Ghost',
  patreon: 'Patreon',
  mailchimp: 'Mailchimp',
  weekender: 'another site',
  other: 'a file',
};

/** Also right if the line was done before, or the account has changed since the check. */
async function importLine(tx: Tx, deps: Deps, row: ImportRow, line: LineRow): Promise<void> {
  const now = deps.clock.now();
  const { email, email_key, name, paid_until: paidUntil } = line;
  if (['duplicate', 'left-out', 'invalid'].includes(line.outcome))
    return void (await updateLine(tx, line, { done_at: now }));
  const member = await lockUserByEmail(tx, deps.database.dialect, email_key);
  const invited = member ? null : await inviteMember(tx, deps, { email, name }, now);
  // The next attempt finds the account that someone has registered at this very moment.
  if (!member && !invited) throw new Error('The address of a line was registered meanwhile.');
  if (invited && line.is_unsubscribed)
    await savePreferences(tx, invited.id, { releaseMails: false, newsMails: false }, now);
  const { outcome, note } = findOutcome({ paidUntil }, member, now);
  const userId = (invited ?? member)?.id ?? null;
  const isGranted = outcome === 'extended' || (outcome === 'new' && (paidUntil ?? 0) > now);
  if (userId && isGranted)
    await grantAccess(
      tx,
      userId,
      {
        until: paidUntil ?? 0,
        reason: `Imported from ${names[row.source]}.`,
        actor: row.created_by ?? 'system',
      },
      toLedgerContext(deps),
    );
  await updateLine(tx, line, { outcome, note: note ?? line.note, user_id: userId, done_at: now });
}

/** A batch at a time, each in one transaction: after a kill the next attempt continues behind it. */
export const importMembers = defineJob({
  name: 'import-members',
  payload: z.object({ importId: z.string() }),
  run: async (deps: Deps, { importId }, job) => {
    const { database, clock } = deps;
    const row = await findImport(database.db, importId);
    if (row?.state !== 'running') return;
    let signalledAt = 0;
    for (;;) {
      job.signal.throwIfAborted();
      // SQLite answers at once, so requests would wait for the whole file.
      await setImmediate();
      const now = clock.now();
      const isSignalDue = now - signalledAt >= SIGNAL_MS;
      if (isSignalDue) signalledAt = now;
      const isOver = await database.db.transaction().execute(async (tx) => {
        const lines = await listOpenLines(tx, importId, LINES_AT_ONCE);
        for (const line of lines) await importLine(tx, deps, row, line);
        if (isSignalDue) await publishSignal(tx, 'admin:members', now);
        return lines.length < LINES_AT_ONCE;
      });
      deps.jobs.wake();
      if (isOver) break;
    }
    await job.finish(async (tx) => {
      const now = clock.now();
      const outcomes = JSON.stringify(await countOutcomes(tx, importId));
      await moveImport(tx, importId, 'running', { state: 'done', finished_at: now, outcomes });
      await publishSignal(tx, 'admin:members', now);
    });
  },
});
