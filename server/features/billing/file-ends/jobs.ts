import { z } from 'zod';
import { FileEndValues } from '#contract/admin/file-ends.ts';
import type { FileEnds } from '#contract/rules/allowed-files.ts';
import { FILE_KINDS, findEndOf } from '#contract/rules/file-ends.ts';
import type { Deps } from '../../../deps.ts';
import type { Tx } from '../../../db/connect.ts';
import { defineJob } from '../../../jobs/define-job.ts';
import { enqueue } from '../../../jobs/queue.ts';
import { publishSignal } from '../../live/service.ts';
import type { FileChange } from '../billing-mail/subscription-texts.ts';
import { enqueueMessages } from '../billing-mail/send-messages.ts';
import { workThrough } from '../work-through.ts';
import { addToMissed, findLastChange, listChangesOf, markTold, readUntold } from './queries.ts';

const parseEnds = (json: string): FileEnds => FileEndValues.parse(JSON.parse(json));

/** What is new to someone who knows `before`. What is over already ends at no other time. */
export function listFileChanges(before: FileEnds, after: FileEnds, now: number): FileChange[] {
  const [was, is] = [findEndOf(before), findEndOf(after)];
  const isOver = (end: number | null) => end !== null && end <= now;
  const changed = FILE_KINDS.filter(
    (kind) => was[kind] !== is[kind] && !(isOver(was[kind]) && isOver(is[kind])),
  );
  return changed
    .filter((kind) => kind !== 'flac' || !changed.includes('mp3') || is.flac !== is.mp3)
    .map((kind) => ({ kind, at: is[kind], wasOff: isOver(was[kind]) }));
}

/** What this member doesn't know yet, also of earlier changes that were overtaken. */
async function tellMember(deps: Deps, changeId: string, userId: string): Promise<void> {
  const { database, clock } = deps;
  const now = clock.now();
  await database.db.transaction().execute(async (tx) => {
    const changes = await listChangesOf(tx, userId);
    const newest = changes.at(-1);
    if (newest?.id !== changeId || !(await markTold(tx, changeId, userId, now))) return;
    const lastTold = changes.findLast(({ told_at }) => told_at !== null);
    const known = lastTold?.ends_after ?? changes[0]?.ends_before ?? newest.ends_before;
    const news = listFileChanges(parseEnds(known), parseEnds(newest.ends_after), now);
    if (news.length === 0) return;
    const message = { kind: 'files-change' as const, now, changes: news };
    await enqueueMessages(tx, deps, userId, [{ key: `files-change:${changeId}`, message }]);
  });
}

/** Right after a change. A later one overtakes it. */
export const tellFileChange = defineJob({
  name: 'tell-file-change',
  lane: 'bulk-mail',
  payload: z.object({ changeId: z.string() }),
  run: async (deps: Deps, { changeId }, { signal }) => {
    const { db } = deps.database;
    if ((await findLastChange(db))?.id !== changeId) return;
    await workThrough(deps, readUntold(db, changeId), signal, ({ user_id }) =>
      tellMember(deps, changeId, user_id),
    );
    deps.jobs.wake();
  },
});

/** For a payment that arrives: its page may have been opened before a change, and said nothing of it. */
export async function tellMissedChanges(tx: Tx, userId: string, openedAt: number, now: number) {
  if (!(await addToMissed(tx, userId, openedAt))) return;
  const last = await findLastChange(tx);
  if (last) await enqueue(tx, tellFileChange, { changeId: last.id }, { now });
}

/** Nothing else has to happen then: every answer compares the time. Open pages must ask again. */
export const showFileEnd = defineJob({
  name: 'show-file-end',
  lane: 'housekeeping',
  payload: z.object({}),
  run: ({ database, clock }: Deps) => publishSignal(database.db, 'everyone/mixes', clock.now()),
});
