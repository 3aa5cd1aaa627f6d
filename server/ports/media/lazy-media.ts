import { createMedia } from './create-media.ts';
import { findFfmpeg } from './find-ffmpeg.ts';
import type { Media } from './media.ts';

/** Looks for ffmpeg once, with the first file; a search that failed is tried again with the next. */
export function createLazyMedia(ffmpegPath: string | null): () => Promise<Media> {
  let found: Promise<Media> | null = null;
  return () => {
    found ??= findFfmpeg(ffmpegPath ? { ffmpegPath } : {}).then(createMedia);
    found.catch(() => {
      found = null;
    });
    return found;
  };
}
