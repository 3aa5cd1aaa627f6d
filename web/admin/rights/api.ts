import type { QueryClient } from '@tanstack/react-query';
import type { Recording, TrackRecordings } from '#contract/admin/recordings.ts';
import type { Gap, RecordingDetails } from '#contract/tracklists/recording.ts';
import { call } from '#web/lib/api/api.ts';
import { apiQuery, pagedQuery, refreshPaths } from '#web/lib/api/api-query.ts';

export const trackRecordingsQuery = (id: string) =>
  apiQuery('GET /api/admin/tracks/:id/recordings', { params: { id } });

type EntryChange = {
  recordingId: string | null;
  details: RecordingDetails;
  updatedAt: number | null;
  isSeparate?: boolean;
};

export const saveTrackRecordings = (
  id: string,
  body: { version: TrackRecordings['version']; entries: EntryChange[] },
) => call('PUT /api/admin/tracks/:id/recordings', { params: { id }, body });

export type RecordingFilter = { search?: string; gap?: Exclude<Gap, 'time'> | 'sharedIsrc' };

export const recordingPagesQuery = (filter: RecordingFilter) =>
  pagedQuery('GET /api/admin/recordings', { query: { limit: 50, ...filter } });

/** The recordings that a text finds, to choose one of them. */
export const recordingChoicesQuery = (search: string) =>
  apiQuery('GET /api/admin/recordings', { query: { limit: 100, ...(search && { search }) } });

type RecordingChange = Pick<Recording, 'updatedAt' | 'artist' | 'title' | 'details'>;

export const saveRecording = (id: string, body: RecordingChange) =>
  call('PATCH /api/admin/recordings/:id', { params: { id }, body });

export const mergeRecording = (id: string, into: string) =>
  call('POST /api/admin/recordings/:id/merge', { params: { id }, body: { into } });

/** A recording is in the lists, and in every mix that plays it. */
export const refreshRecordings = (client: QueryClient) =>
  refreshPaths(client, '/api/admin/recordings', '/api/admin/tracks');
