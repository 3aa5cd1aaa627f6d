import { buffer } from 'node:stream/consumers';
import { z } from 'zod';
import { LOOK_IMAGES, lookFileName, type LookImageKind } from '#contract/look.ts';
import type { LookUpload } from '#contract/admin/look.ts';
import { DAY } from '#contract/rules/time.ts';
import { newId } from '../../db/ids.ts';
import type { Deps } from '../../deps.ts';
import { AppError, isDiskFull } from '../../http/route/app-error.ts';
import type { Viewer } from '../../http/route/guards.ts';
import { defineJob } from '../../jobs/define-job.ts';
import { enqueue } from '../../jobs/queue.ts';
import { drawInTurn } from '../../ports/media/drawn-pictures.ts';
import { LookImageRefused } from './look-image-refused.ts';

const DISK_FULL = 'The server’s disk is full. Free up space, then choose the picture again.';

/** The files of a picture; the main one has no version. */
const VERSIONS: Record<LookImageKind, readonly string[]> = {
  logo: ['', 'mail'],
  picture: ['', 'small'],
  icon: ['', '192', '180', '32', 'maskable'],
};

export const keyOf = (file: string): string => `look/${file}`;
const draftKeyOf = (file: string): string => `look/drafts/${file}`;

/** Only files that we encoded or built ourselves are in the store, so their names say what they are. */
export const typeOf = (file: string): string =>
  file.endsWith('.svg') ? 'image/svg+xml' : `image/${file.endsWith('.webp') ? 'webp' : 'png'}`;

/** Base64 has no character that a style or an attribute would have to escape. */
export const toDataUrl = (file: string, bytes: Buffer): string =>
  `data:${typeOf(file)};base64,${bytes.toString('base64')}`;

/** Long enough to think about a look, and a night over it. */
const DRAFT_MS = 2 * DAY;

export const deleteLookDraft = defineJob({
  name: 'delete-look-draft',
  lane: 'files',
  payload: z.object({ kind: z.enum(LOOK_IMAGES), name: z.string() }),
  run: async ({ storage }: Deps, { kind, name }) => {
    for (const version of VERSIONS[kind])
      await storage.delete(draftKeyOf(lookFileName(name, version)));
  },
});

/** Encodes a picture for the look of the site. It becomes part of it when its name is saved. */
export async function prepareImage(
  deps: Deps,
  { user }: Viewer,
  kind: LookImageKind,
  bytes: Buffer,
): Promise<LookUpload> {
  const { clock, database, storage } = deps;
  const { convertLookImage } = await import('./convert-images.ts');
  const image = await drawInTurn(() => convertLookImage[kind](bytes), {
    subjects: [user.id],
  }).catch((error: unknown) => {
    throw error instanceof LookImageRefused
      ? new AppError('invalid_image', { message: error.message, fields: { [kind]: error.message } })
      : error;
  });
  const now = clock.now();
  const { width, height, extension, versions, preview, leftOut } = image;
  const name = `${newId(now)}-${width}x${height}.${extension}`;
  // Enqueued before the files exist, so that a crash in between leaves nothing behind.
  await enqueue(database.db, deleteLookDraft, { kind, name }, { now, runAt: now + DRAFT_MS });
  for (const version of VERSIONS[kind])
    await storage
      .put(draftKeyOf(lookFileName(name, version)), versions[version] ?? versions[''])
      .catch((error: unknown) => {
        throw isDiskFull(error) ? new AppError('disk_full', { message: DISK_FULL }) : error;
      });
  const shown = toDataUrl(lookFileName(name, preview), versions[preview] ?? versions['']);
  return { name, width, height, preview: shown, leftOut };
}

const CHOOSE_AGAIN = 'We keep a picture that isn’t saved for two days. Choose it again.';

/**
 * Makes the pictures that are about to be saved public. A file never changes under its name, and those
 * of earlier looks stay: mails that were sent show them.
 */
export async function publishImages(
  { storage }: Pick<Deps, 'storage'>,
  change: Partial<Record<LookImageKind, string | null>>,
): Promise<void> {
  for (const kind of LOOK_IMAGES) {
    const name = change[kind];
    if (!name) continue;
    for (const version of VERSIONS[kind]) {
      const file = lookFileName(name, version);
      if (await storage.stat(keyOf(file))) continue;
      const draft = await storage.open(draftKeyOf(file));
      if (!draft)
        throw new AppError('validation_failed', {
          message: CHOOSE_AGAIN,
          fields: { [`values.${kind}`]: CHOOSE_AGAIN },
        });
      await storage.put(keyOf(file), await buffer(draft.stream));
    }
  }
}
