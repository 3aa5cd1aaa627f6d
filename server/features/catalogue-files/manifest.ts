import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { TakeDown } from '#contract/admin/take-downs.ts';
import { ArtistFields } from '#contract/artists/artists.ts';
import { TrackFields } from '#contract/track-fields.ts';
import { MAX_CHAPTER_TEXT } from '#contract/rules/tracklist.ts';
import { RecordingDetails } from '#contract/tracklists/recording.ts';
import { ConsoleProblem } from '../console/service.ts';

/** Relative to the folder, with slashes. Nothing in a catalogue leads out of it. */
const FilePath = z
  .string()
  .max(500)
  .regex(/^(?!.*(?:^|\/)\.\.?(?:\/|$))[^/\\\p{Cc}][^\\\p{Cc}]*$/u, 'must be inside the folder');

export const SavedFile = z.object({
  path: FilePath,
  size: z.int().min(0),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});
export type SavedFile = z.infer<typeof SavedFile>;

const Id = z.string().regex(/^[\w-]{1,64}$/);

export const SavedTrack = z.object({
  id: Id,
  /** Everything an administrator can edit. A field of a later version is missing in an older file. */
  fields: TrackFields.omit({ release: true }).partial().required({
    title: true,
    week: true,
    year: true,
  }),
  /** Null for a draft. */
  publishAt: z.int().nullable(),
  /** When everyone was e-mailed about it; null if that didn't happen yet. */
  announcedAt: z.int().nullable(),
  createdAt: z.int(),
  /** While one of them is open, the mix is taken down. Missing in a file of an earlier version. */
  takeDowns: z.array(TakeDown.extend({ id: Id })).default([]),
  /** `original` is the file that was uploaded. Without it, the best file that was made of it. */
  audio: SavedFile.extend({ kind: z.enum(['original', 'flac', 'mp3', 'stream']) }).nullable(),
  cover: SavedFile.nullable(),
  cueSheet: SavedFile.nullable(),
  /** With tags and the cover inside, as members download them. */
  downloads: z.array(SavedFile),
});
export type SavedTrack = z.infer<typeof SavedTrack>;

export const SavedArtist = z.object({
  id: Id,
  fields: ArtistFields,
  picture: SavedFile.nullable(),
  /** Artists that were merged into this one. */
  aliases: z.array(z.object({ id: Id, name: z.string().min(1).max(200) })),
});
export type SavedArtist = z.infer<typeof SavedArtist>;

/** What mixes play, by the `recordingId` of their chapters. */
const SavedRecording = z.object({
  id: Id,
  artist: z.string().max(MAX_CHAPTER_TEXT).nullable(),
  title: z.string().min(1).max(MAX_CHAPTER_TEXT),
  details: RecordingDetails,
});

export const SavedCatalogue = z.object({
  format: z.literal(1),
  siteName: z.string(),
  exportedAt: z.int(),
  artists: z.array(SavedArtist),
  /** Missing in a file of an earlier version. */
  recordings: z.array(SavedRecording).default([]),
  tracks: z.array(SavedTrack),
});
export type SavedCatalogue = z.infer<typeof SavedCatalogue>;

export const CATALOGUE_FILE = 'catalogue.json';

export const toPath = (folder: string, path: string): string => join(folder, ...path.split('/'));

/** A reader never finds half a file. */
export async function writeJson(path: string, value: unknown): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(`${path}.part`, `${JSON.stringify(value, null, 2)}\n`, { flush: true });
  await rename(`${path}.part`, path);
}

const describeIssue = ({ issues: [issue] }: z.ZodError): string =>
  `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'invalid'}`;

/** Null if the folder has none. */
export async function readCatalogue(folder: string): Promise<SavedCatalogue | null> {
  const path = join(folder, CATALOGUE_FILE);
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw new ConsoleProblem(`${path} can’t be read (${code ?? message}).`);
  });
  if (text === null) return null;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new ConsoleProblem(`${path} is damaged: it isn’t JSON. Export the catalogue again.`);
  }
  const parsed = SavedCatalogue.safeParse(value);
  if (!parsed.success)
    throw new ConsoleProblem(`${path} can’t be imported: ${describeIssue(parsed.error)}.`);
  return parsed.data;
}
