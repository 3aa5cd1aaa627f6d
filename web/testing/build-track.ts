import { NO_ENDS } from '#contract/rules/allowed-files.ts';
import type { Track } from '#contract/tracks.ts';
import { buildTrack as buildRow } from '#server/db/build-rows.ts';
import { presentTrack, TrackFacts } from '#server/features/tracks/present-track.ts';

/** A track as the server sends it to a subscriber; new fields appear here automatically. */
export function buildTrack(id: string, overrides: Partial<Track> = {}): Track {
  const row = buildRow({
    id,
    title: `Mix ${id}`,
    year: 2026,
    week: 46,
    genre: 'Deep House',
    bpm: 122,
    duration_ms: 300_000,
    preview_start_ms: 60_000,
    cover_key: `covers/${id}.webp`,
    status: 'ready',
    publish_at: 0,
    created_at: 0,
  });
  const file = { track_id: id, key: '', size: 0, media_type: 'audio/mpeg' };
  const facts = new TrackFacts(row, [{ ...file, name: 'stream' }]);
  // The player saves no sizes with a visit, and these files have none.
  const { sizes: _, ...track } = presentTrack(facts, true, new Map(), {
    ends: NO_ENDS,
    now: 0,
  });
  const urls = { fileUrl: `/media/${id}.mp3`, dataSaverUrl: `/media/${id}-small.mp3` };
  return { ...track, ...urls, ...overrides };
}

export const buildPreview = (id: string, overrides: Partial<Track> = {}): Track =>
  buildTrack(id, { access: 'preview', fileUrl: `/media/${id}-preview.mp3`, ...overrides });
