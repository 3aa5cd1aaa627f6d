import { z } from 'zod';
import { CastRendition } from '#contract/clients/casting.ts';
import { hasFullAccess } from '#contract/rules/access.ts';
import { HOUR, MINUTE } from '#contract/rules/time.ts';
import type { Deps } from '../../deps.ts';
import { decryptText, encryptText } from '../../db/secrets.ts';
import { AppError } from '../../http/route/app-error.ts';
import type { Viewer } from '../../http/route/guards.ts';
import { continueStream, requireStream } from '../streams/service.ts';
import { getVisibleTrack, openFileOfSession } from '../tracks/service.ts';

/** A speaker begins to load at once. */
export const START_MS = 5 * MINUTE;
/** Longer than any mix; until then it works while the device that cast it reports that it plays. */
export const LONGEST_CAST_MS = 8 * HOUR;
const PURPOSE = 'casts';

const Cast = z.tuple([
  /** The session that cast it; its end ends the link. */
  z.string(),
  z.string(),
  CastRendition,
  /** When it was created. */
  z.number(),
]);

type CastFile = { id: string; rendition: CastRendition };

/** A URL for a device that has no session, such as a speaker. It is a session's own, for one file. */
export async function createCastUrl(
  deps: Deps,
  viewer: Viewer,
  { id, rendition }: CastFile,
): Promise<{ url: string }> {
  const { database, clock } = deps;
  const now = clock.now();
  const track = await getVisibleTrack(deps, viewer, id);
  if (!hasFullAccess(viewer.user, now)) throw new AppError('subscribers_only');
  const cast: z.output<typeof Cast> = [viewer.sessionHash ?? '', track.id, rendition, now];
  const token = await encryptText(database.db, PURPOSE, JSON.stringify(cast));
  const path = `/media/casts/${encodeURIComponent(track.id)}/${rendition}`;
  return { url: `${path}?${new URLSearchParams({ token }).toString()}` };
}

async function parseCast({ database, clock }: Deps, link: CastFile & { token: unknown }) {
  const text =
    typeof link.token === 'string' && link.token.length <= 1000
      ? await decryptText(database.db, PURPOSE, link.token).catch(() => 'null')
      : 'null';
  const cast = Cast.safeParse(JSON.parse(text));
  const [sessionHash, id, rendition, createdAt] = cast.data ?? [];
  const isValid =
    sessionHash && createdAt !== undefined && id === link.id && rendition === link.rendition;
  const age = clock.now() - (createdAt ?? 0);
  if (!isValid || age >= LONGEST_CAST_MS)
    throw new AppError('forbidden', { message: 'This link has expired. Cast the mix again.' });
  return { sessionHash, isNew: age < START_MS };
}

/** Every request is checked as if the device that cast it had asked. */
export async function openCast(
  deps: Deps,
  link: CastFile & { token: unknown; firstByte: (size: number) => number },
) {
  const { sessionHash, isNew } = await parseCast(deps, link);
  const file = await openFileOfSession(deps, sessionHash, link);
  const { listening } = file;
  if (!listening) {
    if (!isNew) throw new AppError('forbidden');
    return file;
  }
  const { listener, stream } = listening;
  if (isNew) await continueStream(deps, listener, stream, { firstByte: link.firstByte(file.size) });
  else await requireStream(deps, listener, stream);
  return file;
}
