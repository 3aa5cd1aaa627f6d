import type { Track } from '#contract/tracks.ts';

export const buildTrack = (id: string, overrides: Partial<Track> = {}): Track => ({
  id,
  title: `Mix ${id}`,
  year: 2026,
  weekNumber: 46,
  description: '',
  genre: 'Deep House',
  bpm: 122,
  duration: 300,
  coverUrl: `/media/covers/${id}.webp`,
  fileUrl: `/media/${id}.mp3`,
  dataSaverUrl: `/media/${id}-small.mp3`,
  access: 'full',
  previewStart: 60,
  isSubscriberOnly: false,
  publishedAt: 0,
  plays: 0,
  isFavorite: false,
  progress: null,
  ...overrides,
});

export const buildPreview = (id: string, overrides: Partial<Track> = {}): Track =>
  buildTrack(id, { access: 'preview', fileUrl: `/media/${id}-preview.mp3`, ...overrides });
