import { loadAccount } from './account.ts';
import { findSavedFile, type SavedFile } from './saved-file.ts';

/**
 * Whether a saved copy plays in place of this file even with a network: it is the same one, or the
 * better quality of the same audio where the small file was to save data.
 */
export function findReplacement(
  { fileUrl, isComplete }: Pick<SavedFile, 'fileUrl' | 'isComplete'>,
  url: string,
): 'same' | 'better' | null {
  if (!isComplete) return null;
  if (fileUrl === url) return 'same';
  return fileUrl.replace('/stream?', '/dataSaver?') === url ? 'better' : null;
}

/** True if this file plays from this device, without data. */
export async function isPlayedFromDevice(
  storage: CacheStorage,
  trackId: string,
  url: string,
): Promise<boolean> {
  const account = await loadAccount(storage);
  if (!account?.lease || account.lease.until <= Date.now()) return false;
  const saved = await findSavedFile(storage, account.userId, trackId);
  return saved !== null && findReplacement(saved.record, url) !== null;
}

const REPLACED_URL = '/offline/replaced';

/**
 * Whoever began with the bytes of one file must get the rest of that one: only a playback that starts
 * now gets the other quality, and then everything that it asks for later.
 */
export async function mayReplace(
  range: string | null,
  cache: Cache,
  url: string,
): Promise<boolean> {
  // Safari asks for the first two bytes before anything else.
  if (range === null || range.startsWith('bytes=0-')) {
    await cache.put(REPLACED_URL, new Response(url));
    return true;
  }
  return (await (await cache.match(REPLACED_URL))?.text()) === url;
}
