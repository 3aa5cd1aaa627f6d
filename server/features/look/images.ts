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
import { requireSteadyClock } from '../../jobs/wrong-clock.ts';
import { drawInTurn } from '../../ports/media/drawn-pictures.ts';
import { LookImageRefused } from './look-image-refused.ts';

const DISK_FULL = 'The server’s disk is full. Free up space, then choose the picture again.';

type ImageKind = LookImageKind | 'letter';

/** The files of a picture; the main one has no version. */
const VERSIONS: Record<ImageKind, readonly string[]> = {
  logo: ['', 'mail'],
  picture: ['', 'small'],
  icon: ['', '192', '180', '32', 'maskable'],
  letter: ['', 'small'],
};

export const keyOf = (file: string): string => `look/${file}`;
const draftKeyOf = (file: string): string => `look/drafts/${file}`;

const TYPES = { svg: 'svg+xml', png: 'png', webp: 'webp', jpg: 'jpeg' };

/** Only files that we encoded or built ourselves are in the store, so their names say what they are. */
export const typeOf = (file: string): string =>
  `image/${TYPES[file.slice(file.lastIndexOf('.') + 1) as keyof typeof TYPES]}`;

/** Base64 has no character that a style or an attribute would have to escape. */
export const toDataUrl = (file: string, bytes: Buffer): string =>
  `data:${typeOf(file)};base64,${bytes.toString('base64')}`;

/** Long enough to think about a look, and a night over it. */
const DRAFT_MS = 2 * DAY;

export const deleteLookDraft = defineJob({
  name: 'delete-look-draft',
  lane: 'files',
  payload: z.object({ kind: z.enum(LOOK_IMAGES), name: z.string() }),
  run: async (deps: Deps, { kind, name }) => {
    await requireSteadyClock(deps);
    for (const version of VERSIONS[kind])
      await deps.storage.delete(draftKeyOf(lookFileName(name, version)));
  },
});

/** Encodes a picture again; what is wrong with it is said in a sentence. */
async function encodeImage(
  { clock }: Deps,
  { user }: Viewer,
  { kind, bytes }: { kind: ImageKind; bytes: Buffer },
) {
  const { convertLookImage } = await import('./convert-images.ts');
  const image = await drawInTurn(() => convertLookImage[kind](bytes), {
    subjects: [user.id],
  }).catch((error: unknown) => {
    throw error instanceof LookImageRefused
      ? new AppError('invalid_image', { message: error.message, fields: { [kind]: error.message } })
      : error;
  });
  const { width, height, extension } = image;
  return { ...image, name: `${newId(clock.now())}-${width}x${height}.${extension}` };
}

async function storeImage(
  { storage }: Deps,
  { name, versions }: Awaited<ReturnType<typeof encodeImage>>,
  { kind, toKey }: { kind: ImageKind; toKey: (file: string) => string },
): Promise<void> {
  for (const version of VERSIONS[kind])
    await storage
      .put(toKey(lookFileName(name, version)), versions[version] ?? versions[''])
      .catch((error: unknown) => {
        throw isDiskFull(error) ? new AppError('disk_full', { message: DISK_FULL }) : error;
      });
}

/** Encodes a picture for the look of the site. It becomes part of it when its name is saved. */
export async function prepareImage(
  deps: Deps,
  viewer: Viewer,
  kind: LookImageKind,
  bytes: Buffer,
): Promise<LookUpload> {
  const { clock, database } = deps;
  const image = await encodeImage(deps, viewer, { kind, bytes });
  const { name, width, height, versions, preview, leftOut } = image;
  const now = clock.now();
  // Enqueued before the files exist, so that a crash in between leaves nothing behind.
  await enqueue(database.db, deleteLookDraft, { kind, name }, { now, runAt: now + DRAFT_MS });
  await storeImage(deps, image, { kind, toKey: draftKeyOf });
  const shown = toDataUrl(lookFileName(name, preview), versions[preview] ?? versions['']);
  return { name, width, height, preview: shown, leftOut };
}

/**
 * Encodes a picture of a letter, in the formats of mail programs, and returns its name, which nobody can
 * guess. Before its files exist, `plan` is told the name.
 */
export async function addLetterPicture(
  deps: Deps,
  viewer: Viewer,
  bytes: Buffer,
  plan: (name: string) => Promise<unknown>,
): Promise<string> {
  const image = await encodeImage(deps, viewer, { kind: 'letter', bytes });
  await plan(image.name);
  await storeImage(deps, image, { kind: 'letter', toKey: keyOf });
  return image.name;
}

export async function deleteLetterPicture(
  { storage }: Pick<Deps, 'storage'>,
  name: string,
): Promise<void> {
  for (const version of VERSIONS.letter) await storage.delete(keyOf(lookFileName(name, version)));
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
