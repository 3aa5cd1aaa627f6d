import { formatMoney } from './format.ts';
import { pickFile } from './pick-file.ts';
import { CURRENCY } from './plans.ts';
import { PREVIEW_SECONDS } from './preview.ts';

/**
 * How much mobile data listening uses, and what that costs at the price of a gigabyte: the only place
 * for the sums and their words, in pages, e-mails and settings.
 */

const MEGABYTE = 1_000_000;
const GIGABYTE = 1000 * MEGABYTE;

/** Bit rates of the files that are made from a master, in thousands of bits per second. */
export const PLAYED_KILOBITS = { stream: 192, dataSaver: 64, preview: 192 } as const;
type PlayedFile = keyof typeof PLAYED_KILOBITS;

/** What so many seconds of a file are, where its size isn't known. */
export const estimateBytes = (file: PlayedFile, seconds: number): number =>
  Number.isFinite(seconds)
    ? Math.max(0, Math.round((seconds * PLAYED_KILOBITS[file] * 1000) / 8))
    : 0;

export const bytesPerHour = (file: PlayedFile): number => estimateBytes(file, 3600);

/** What is known about the files of a track. */
type PlayableFiles = {
  duration: number;
  access: 'full' | 'preview';
  fileUrl: string;
  dataSaverUrl: string | null;
  sizes?: { stream?: number | undefined; dataSaver?: number | undefined } | undefined;
};

/** The bytes that Play loads in this quality, if it plays to the end. */
export function findPlayedBytes(track: PlayableFiles, isDataSaver: boolean): number {
  const { duration, access, sizes } = track;
  if (access === 'preview') return estimateBytes('preview', Math.min(duration, PREVIEW_SECONDS));
  const { name } = pickFile(track, isDataSaver);
  return sizes?.[name] ?? estimateBytes(name, duration);
}

/** `0.5 MB`, `29 MB`, `1.2 GB`: people buy data in megabytes, so there are no kilobytes. */
export function formatMegabytes(bytes: number): string {
  const amount = Math.max(0, bytes);
  const isLarge = amount >= 999.5 * MEGABYTE;
  const value = amount / (isLarge ? GIGABYTE : MEGABYTE);
  // What is used is never nothing.
  const shown = amount > 0 ? Math.max(0.1, value) : 0;
  return `${shown.toFixed(shown < 9.95 ? 1 : 0).replace(/\.0$/, '')} ${isLarge ? 'GB' : 'MB'}`;
}

/**
 * In cents. Rounded up, so that nobody pays more than we say: below a rand to a cent, above it to ten,
 * the smallest coin.
 */
export function findDataCost(bytes: number, centsPerGigabyte: number): number {
  // Without the error of the division, 0.1 of a cent too much would become a cent.
  const cents = Number(((Math.max(0, bytes) / GIGABYTE) * centsPerGigabyte).toFixed(6));
  return cents <= 100 ? Math.ceil(cents) : Math.ceil(cents / 10) * 10;
}

/** `5 cents`, `R14.70` */
export function formatDataCost(cents: number): string {
  if (cents >= 100 || CURRENCY !== 'ZAR') return formatMoney(cents, CURRENCY);
  return cents === 1 ? '1 cent' : `${cents} cents`;
}

/** `173 MB, R14.70`; without a price of data `173 MB`. */
export function describeData(bytes: number, centsPerGigabyte: number | null): string {
  const size = formatMegabytes(bytes);
  if (centsPerGigabyte === null) return size;
  return `${size}, ${formatDataCost(findDataCost(bytes, centsPerGigabyte))}`;
}

/** What Play uses: `About 173 MB, R14.70`, or `About 0.5 MB of data, 5 cents` for a preview. */
export function describePlay(
  track: PlayableFiles,
  { isDataSaver, dataPrice }: { isDataSaver: boolean; dataPrice: number | null },
): string {
  const bytes = findPlayedBytes(track, isDataSaver);
  return track.access === 'preview'
    ? describeShortPlay(bytes, dataPrice)
    : `About ${describeData(bytes, dataPrice)}`;
}

/** Beside a preview or a clip: `About 0.3 MB of data, 3 cents`. */
export const describeShortPlay = (bytes: number, dataPrice: number | null): string =>
  `About ${describeData(bytes, dataPrice).replace(/B(?=,|$)/, 'B of data')}`;
