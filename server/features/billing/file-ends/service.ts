import { findEndProblem, type FileEndsState } from '#contract/admin/file-ends.ts';
import type { FileEnds } from '#contract/rules/allowed-files.ts';
import { NOTICE_MS } from '#contract/rules/file-ends.ts';
import { newId } from '../../../db/ids.ts';
import type { Deps } from '../../../deps.ts';
import { readGraceMs } from '../../../http/route/access-policy.ts';
import { AppError } from '../../../http/route/app-error.ts';
import type { Viewer } from '../../../http/route/guards.ts';
import { enqueue } from '../../../jobs/queue.ts';
import { recordAction } from '../../audit/service.ts';
import { publishSignal } from '../../live/service.ts';
import {
  readLatestSettings,
  reloadSettings,
  writeSettingsOfVersion,
} from '../../settings/service.ts';
import { listFileChanges, showFileEnd, tellFileChange } from './jobs.ts';
import { countMembers, countSubscribers, findLastChange, insertChange } from './queries.ts';

const NAMES = ['downloadsEnd', 'losslessEnd', 'savingEnd'] as const satisfies (keyof FileEnds)[];

async function readEnds({ database }: Deps): Promise<{ ends: FileEnds; version: number }> {
  const { version, settings } = await readLatestSettings(database.db);
  const { downloadsEnd, losslessEnd, savingEnd } = settings;
  return { ends: { downloadsEnd, losslessEnd, savingEnd }, version };
}

export async function getFileEnds(deps: Deps): Promise<FileEndsState> {
  const { db } = deps.database;
  const { ends, version } = await readEnds(deps);
  const last = await findLastChange(db);
  const now = deps.clock.now();
  return {
    ...ends,
    version,
    now,
    subscribers: await countSubscribers(db, now - (await readGraceMs(deps))),
    lastChange: last ? { at: last.created_at, ...(await countMembers(db, last.id)) } : null,
  };
}

/** An end in the past is now, unless it came before: then it stays when it was. */
function settleEnd(end: number | null, before: number | null, now: number): number | null {
  if (end === null || end > now) return end;
  return before !== null && before <= now ? before : now;
}

function settleEnds(ends: FileEnds, before: FileEnds, now: number): FileEnds {
  const fields = Object.fromEntries(
    NAMES.flatMap((name) => {
      const problem = findEndProblem(ends[name], now);
      return problem === null ? [] : [[name, problem]];
    }),
  );
  const [message] = Object.values(fields);
  if (message !== undefined) throw new AppError('validation_failed', { message, fields });
  const [downloadsEnd, losslessEnd, savingEnd] = NAMES.map((name) =>
    settleEnd(ends[name], before[name], now),
  ) as [number | null, number | null, number | null];
  return { downloadsEnd, losslessEnd, savingEnd };
}

const toFacts = (ends: FileEnds) =>
  Object.fromEntries(
    NAMES.map((name) => [name, ends[name] === null ? null : new Date(ends[name]).toISOString()]),
  );

type Change = FileEnds & { version: number; reason?: string | undefined };

/** Takes effect at its time, by itself. Whoever has access now is told at once. */
export async function setFileEnds(
  deps: Deps,
  viewer: Viewer,
  { version, reason, ...ends }: Change,
): Promise<FileEndsState> {
  const { database, clock } = deps;
  const now = clock.now();
  const { ends: before, version: latest } = await readEnds(deps);
  if (latest !== version) throw new AppError('settings_changed');
  const after = settleEnds(ends, before, now);
  if (NAMES.every((name) => after[name] === before[name])) return getFileEnds(deps);
  const paidAfter = now - (await readGraceMs(deps));
  const news = listFileChanges(before, after, now);
  await database.db.transaction().execute(async (tx) => {
    await writeSettingsOfVersion(tx, version, after, now);
    const isShort = news.some(({ at }) => at !== null && at < now + NOTICE_MS);
    if (isShort && !reason && (await countSubscribers(tx, paidAfter)) > 0) {
      const { message } = new AppError('reason_needed');
      throw new AppError('reason_needed', { fields: { reason: message } });
    }
    await recordAction(
      tx,
      {
        actor: viewer,
        action: 'file-ends.changed',
        subject: { kind: 'site' },
        before: toFacts(before),
        after: toFacts(after),
        ...(reason && { reason }),
      },
      now,
    );
    if (news.length > 0) {
      const id = newId(now);
      await insertChange(tx, { id, version: version + 1, before, after, now, paidAfter });
      await enqueue(tx, tellFileChange, { changeId: id }, { now });
    }
    for (const at of new Set(NAMES.map((name) => after[name])))
      if (at !== null && at > now) await enqueue(tx, showFileEnd, {}, { now, runAt: at });
    await publishSignal(tx, 'everyone/mixes', now);
  });
  await reloadSettings(deps);
  deps.jobs.wake();
  return getFileEnds(deps);
}
