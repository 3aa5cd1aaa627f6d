import { buildLetter } from '../../db/build-rows.ts';
import { newId } from '../../db/ids.ts';
import { keyOfFile } from '../../features/clips/jobs.ts';
import type { LettersTable } from '../../db/types/letter-tables.ts';
import { seedArtist } from '../seed-artist.ts';
import type { Person } from './people.ts';
import type { SiteParts, Things, Tracks } from './things.ts';

/** `owner` is a user whose things nobody else may see. */
export type AccessSite = SiteParts & { tracks: Tracks; things: Things; owner: Person };

/** What a request needs besides its route. */
export type Asked = {
  /** Values of the parameters in the path. */
  params?: Record<string, string>;
  query?: Record<string, string>;
  payload?: object | string | Buffer;
  headers?: Record<string, string>;
};

/** `owner` is the person who asks, except for visitors and others, who ask for someone else's things. */
export type Ask = (site: AccessSite, owner: Person, person: Person) => Asked | Promise<Asked>;

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
export const image = { payload: PIXEL, headers: { 'content-type': 'image/png' } };

/** A new artist that a track of this kind names, or that no track names. */
export const ofArtist =
  (kind: TrackKind | null, more: Asked = {}): Ask =>
  async ({ deps, tracks }) => {
    const now = deps.clock.now();
    const site = { db: deps.database.db, now };
    const artist = await seedArtist(site, newId(now), kind ? [tracks[kind].id] : []);
    return { ...more, params: { id: artist.id } };
  };

/** A new letter. One that is out has a page for members, unless it says otherwise. */
export const ofLetter =
  (letter: Partial<LettersTable> = {}, more: Asked = {}): Ask =>
  async ({ deps }) => {
    const now = deps.clock.now();
    const row = buildLetter({
      id: newId(now),
      created_at: now,
      subject: 'Hello',
      body: 'We play.',
      ...letter,
      ...(letter.state && { started_at: now }),
    });
    await deps.database.db.insertInto('letters').values(row).execute();
    return { ...more, params: { id: row.id } };
  };

/** A new clip of a track of this kind, which is public if the track is. */
export const ofClip =
  (kind: TrackKind, more: Asked = {}): Ask =>
  async ({ deps, tracks }, owner) => {
    const now = deps.clock.now();
    const id = newId(now);
    const bytes = Buffer.from('a clip');
    await deps.storage.put(keyOfFile(id, 'square'), bytes);
    const clip = {
      id,
      track_id: tracks[kind].id,
      user_id: owner.id,
      audio_key: 'tracks/audio.mp3',
      start_s: 0,
      seconds: 3,
      state: 'ready',
      is_teaser: 0,
      sizes: JSON.stringify({ audio: 6, square: 6, upright: 6 }),
      created_at: now,
      published_at: now,
      removed_at: null,
    } as const;
    await deps.database.db.insertInto('clips').values(clip).execute();
    return { ...more, params: { id, ...more.params } };
  };

export type TrackKind = keyof Tracks;
export const ofTrack =
  (kind: TrackKind, more: Asked = {}): Ask =>
  ({ tracks }) => ({ ...more, params: { id: tracks[kind].id } });
