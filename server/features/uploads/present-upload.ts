import type { CatalogueTrack } from '#contract/catalogue.ts';
import { toPublishAt } from '#contract/track-fields.ts';
import type { Upload } from '#contract/uploads.ts';
import { toCoverUrl } from '../catalogue/service.ts';
import { mergeFields, readDraft } from './merge-fields.ts';
import type { NamedTrack, UploadRow } from './queries.ts';

export type UploadContext = {
  names: ReadonlyMap<string, NamedTrack>;
  tracks: ReadonlyMap<string, CatalogueTrack>;
  timeZone: string;
};

const presentName = (track: NamedTrack | undefined) =>
  track ? { id: track.id, title: track.title, year: track.year, weekNumber: track.week } : null;

export function presentUpload(row: UploadRow, { names, tracks, timeZone }: UploadContext): Upload {
  const { release, bpm: _, ...fields } = mergeFields(row, timeZone);
  return {
    id: row.id,
    fileName: row.file_name,
    size: row.size,
    received: row.received,
    state: row.state,
    failure: row.failure,
    ...fields,
    publishAt: toPublishAt(release, row.created_at),
    draft: readDraft(row),
    coverUrl: toCoverUrl(row.cover_key),
    duplicateOf: presentName(names.get(row.duplicate_of ?? '')),
    replaces: presentName(names.get(row.replaces_id ?? '')),
    track: tracks.get(row.track_id ?? '') ?? null,
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
