import type { Media } from './media.ts';

/** Most processes never touch audio. */
async function findMedia(ffmpegPath: string | null): Promise<Media> {
  const [{ createMedia }, { findFfmpeg }] = await Promise.all([
    import('./create-media.ts'),
    import('./find-ffmpeg.ts'),
  ]);
  return createMedia(await findFfmpeg(ffmpegPath ? { ffmpegPath } : {}));
}

/** Finds ffmpeg on first use; a search that fails is repeated the next time. */
export function createLazyMedia(ffmpegPath: string | null): () => Promise<Media> {
  let found: Promise<Media> | null = null;
  return () => {
    found ??= findMedia(ffmpegPath);
    found.catch(() => {
      found = null;
    });
    return found;
  };
}
