import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DAY, HOUR } from '#contract/rules/time.ts';
import type { Db } from '../../db/connect.ts';
import { ConsoleProblem } from '../console/service.ts';
import { readBackupState, recordBackup, type BackupState } from './service.ts';
import { BackupIsRunning, withLock } from './lock.ts';
import { readBack, restoreAside } from './prove-backup.ts';
import { DAYS } from './manifest.ts';
import {
  findRepository,
  openRepository,
  prune,
  removeDrafts,
  type KeptBackups,
} from './repository.ts';
import { saveBackup, type Report, type SavedBackup, type SiteLocation } from './save-backup.ts';

/** A week, less what one night's run is earlier than another's. */
const PROOF_AFTER = 7 * DAY - HOUR;

export type BackupOrder = {
  site: SiteLocation;
  folder: string;
  /** The folder that the settings name: an empty one in its place means that a disk is missing. */
  isUsual: boolean;
  /** Begin anew although there were backups elsewhere. */
  isNew?: boolean;
  /** Prove it also if that isn't due. */
  isProving?: boolean;
  /** Where a proof restores to; nothing else is kept there. */
  scratch: string;
};

export type BackupContext = { db: Db; clock: () => number; report: Report };

/** Sentences for what happens to disks, by the system's code. */
const DISK_PROBLEMS: Record<string, string> = {
  ENOSPC: 'is full. Free some space, or use a larger disk',
  EDQUOT: 'is full: its quota is used up. Raise it, or use a larger disk',
  EROFS: 'can’t be written: its disk is read-only',
  EACCES: 'can’t be written: it belongs to another user',
  EPERM: 'can’t be written: it belongs to another user',
  EIO: 'can’t be read or written. Check its disk',
  ENOTCONN: 'can’t be reached. Is its disk mounted?',
  ESTALE: 'can’t be reached. Is its disk mounted?',
  EHOSTDOWN: 'can’t be reached. Is its disk mounted?',
};

/** As a sentence about a folder, if its disk is what went wrong. */
async function explain<T>(folder: string, rest: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const what = DISK_PROBLEMS[(error as NodeJS.ErrnoException).code ?? ''];
    if (!what || error instanceof ConsoleProblem) throw error;
    const message = `${folder} ${what}${/[.?]$/.test(what) ? '' : '.'} ${rest}`;
    throw new ConsoleProblem(message, { cause: error });
  }
}

async function refuseEmptyFolder({ folder, isUsual, isNew }: BackupOrder, state: BackupState) {
  if (!isUsual || isNew || state.repository === null) return;
  if ((await findRepository(folder)) === null)
    throw new ConsoleProblem(
      `${folder} has no backups, but this site’s are kept there. Is its disk mounted? To begin anew there, add --new.`,
    );
}

const isProofDue = ({ lastVerifiedAt }: BackupState, now: number): boolean =>
  lastVerifiedAt === null || now - lastVerifiedAt >= PROOF_AFTER || lastVerifiedAt > now;

export type FinishedBackup = SavedBackup & KeptBackups;

function refuseUnreadable({ folder }: BackupOrder, { unreadable }: KeptBackups) {
  if (unreadable.length === 0) return;
  const what = unreadable.length === 1 ? 'An earlier one' : `${unreadable.length} earlier ones`;
  throw new ConsoleProblem(
    `The backup was made. ${what} can’t be read: ${unreadable.join(', ')}, set aside as “.damaged” in ${join(folder, DAYS)}. Nothing is removed until a good copy or nothing is in that place. Check the disk.`,
  );
}

async function save(
  { folder, site }: BackupOrder,
  { report, clock }: BackupContext,
  confirm: () => Promise<void>,
): Promise<FinishedBackup> {
  await removeDrafts(folder);
  try {
    const saved = await saveBackup(site, folder, { now: clock(), report, confirm });
    await confirm();
    return { ...saved, ...(await prune(folder)) };
  } finally {
    // Half a file would only fill the disk further. What arrived whole shortens the next run.
    await removeDrafts(folder).catch(() => undefined);
  }
}

async function prove({ folder, scratch }: BackupOrder, { db, report, clock }: BackupContext) {
  // Until it has gone well, every run tries again.
  await recordBackup(db, { lastVerifiedAt: null }, clock());
  const rest = 'The backup was made, but not proved.';
  await explain(folder, rest, () => readBack(folder));
  report('every byte is as it was saved');
  await explain(scratch, rest, () => restoreAside(folder, scratch, clock()));
  report('restored on the side, and every row compared');
  await recordBackup(db, { lastVerifiedAt: clock() }, clock());
}

async function perform(order: BackupOrder, context: BackupContext): Promise<FinishedBackup> {
  const { folder, scratch, isUsual, isProving } = order;
  const { db, clock, report } = context;
  const state = await readBackupState(db);
  await refuseEmptyFolder(order, state);
  const onDisk = <T>(work: () => Promise<T>) =>
    explain(folder, 'The backups that are there stay as they are.', work);
  const repository = await onDisk(() => openRepository(folder, report));
  return withLock(folder, clock, async (confirm) => {
    await rm(scratch, { recursive: true, force: true });
    const saved = await onDisk(() => save(order, context, confirm));
    const lastAt = saved.manifest.createdAt;
    await recordBackup(db, { lastAt, ...(isUsual && { repository }) }, clock());
    if (isProving || isProofDue(state, clock())) await prove(order, context);
    refuseUnreadable(order, saved);
    return saved;
  });
}

/** Makes a backup, and proves it when a week has passed. The site knows how that went. */
export async function runBackup(
  order: BackupOrder,
  context: BackupContext,
): Promise<FinishedBackup> {
  const { db, clock } = context;
  try {
    const saved = await perform(order, context);
    await recordBackup(db, { problem: null }, clock());
    return saved;
  } catch (error) {
    if (!(error instanceof BackupIsRunning)) {
      const { message } = error as Error;
      // Without a database nobody can be told, and the first error says more.
      await recordBackup(db, { problem: message }, clock()).catch(() => undefined);
    }
    throw error;
  }
}
