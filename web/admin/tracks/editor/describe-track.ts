import type { CatalogueState, CatalogueTrack } from '#contract/admin/catalogue.ts';
import { formatFileSize, formatDayAndTime } from '#contract/rules/format.ts';

export const stateNames: Record<CatalogueState, string> = {
  published: 'Published',
  scheduled: 'Scheduled',
  draft: 'Draft',
  processing: 'Processing',
  failed: 'Failed',
  takenDown: 'Taken down',
  deleted: 'Deleted',
};

/** When it comes out, or why it isn’t out yet. */
export function describeTrackState(track: CatalogueTrack, timeZone: string): string {
  const { state, publishAt, progress, failure } = track;
  if (state === 'processing') return `Processing, ${progress}%`;
  if (state === 'failed') return failure ?? 'Failed';
  if (state === 'draft') return 'Draft';
  if (state === 'takenDown' || state === 'deleted') return stateNames[state];
  const when = publishAt === null ? '' : formatDayAndTime(publishAt, timeZone);
  return state === 'scheduled' ? `Scheduled · public on ${when}` : `Published ${when}`;
}

const renditionNames: Record<string, string> = {
  stream: 'Stream',
  dataSaver: 'Data saver',
  preview: 'Preview',
  mp3: 'MP3',
  flac: 'FLAC',
};

export const describeFiles = ({ files }: Pick<CatalogueTrack, 'files'>): string =>
  files
    .map(({ name, size }) => `${renditionNames[name] ?? name} ${formatFileSize(size)}`)
    .join(', ');

export const describeFigures = ({ figures }: Pick<CatalogueTrack, 'figures'>) => [
  { label: 'Plays', value: figures.plays },
  { label: 'Listeners', value: figures.listeners },
  { label: 'Favorites', value: figures.favorites },
  { label: 'Downloads', value: figures.downloads },
];
