import { canCopyToStream } from './loudness.ts';
import type { RenditionName } from '../../db/tables.ts';
import type { EncodeJob, Master, MediaProbe } from './media.ts';
import { PREVIEW_FILE_SECONDS } from './preview-window.ts';

export type DataSaverCodec = 'opus' | 'aac';

export const describeRendition = (
  rendition: RenditionName,
  dataSaverCodec: DataSaverCodec,
): { mime: string; extension: string } => {
  if (rendition === 'flac') return { mime: 'audio/flac', extension: 'flac' };
  if (rendition !== 'dataSaver') return { mime: 'audio/mpeg', extension: 'mp3' };
  return dataSaverCodec === 'opus'
    ? { mime: 'audio/webm; codecs=opus', extension: 'webm' }
    : { mime: 'audio/mp4', extension: 'm4a' };
};

/** The audio frames can be taken over as they are: quicker, and nothing is lost. */
export function canCopy(
  rendition: RenditionName,
  { probe }: Master,
  loudness: EncodeJob['analysis']['loudness'],
): boolean {
  switch (rendition) {
    case 'stream':
      return canCopyToStream(probe, loudness);
    case 'mp3':
      return probe.container === 'mp3';
    case 'flac':
      return probe.container === 'flac';
    case 'dataSaver':
    case 'preview':
      return false;
  }
}

const KILOBITS = { stream: 192, preview: 192, dataSaver: 64, mp3: 320 } as const;

export const getBitRate = (rendition: keyof typeof KILOBITS): string => `${KILOBITS[rendition]}k`;

const SLACK_BYTES = 8 * 1024 ** 2;

/** No honest output reaches this size. */
export function limitOutputBytes(
  rendition: RenditionName,
  probe: MediaProbe,
  seconds: number,
): number {
  const duration = rendition === 'preview' ? Math.min(seconds, PREVIEW_FILE_SECONDS) : seconds;
  const bitsPerSecond =
    rendition === 'flac'
      ? probe.sampleRate * probe.channels * (probe.bitDepth ?? 24)
      : KILOBITS[rendition] * 1000;
  return Math.ceil((duration * bitsPerSecond * 1.2) / 8) + SLACK_BYTES;
}
