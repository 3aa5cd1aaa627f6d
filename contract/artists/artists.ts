import { z } from 'zod';
import { defineRoutes } from '../route.ts';

export const MAX_ARTIST_NAME = 80;
const MAX_ARTIST_ABOUT = 2000;
const MAX_ARTIST_LINKS = 8;
const MAX_LINK_LENGTH = 300;
/** Of one track. */
export const MAX_TRACK_ARTISTS = 12;

/** An artist as tracks name it. */
export const ArtistName = z.object({ id: z.string(), name: z.string() });
export type ArtistName = z.infer<typeof ArtistName>;

/** An artist of the mixes on this site: a guest DJ, or the site’s own. */
export const Artist = ArtistName.extend({
  about: z.string(),
  /** Web addresses, all https. */
  links: z.array(z.string()),
  pictureUrl: z.string().nullable(),
});
export type Artist = z.infer<typeof Artist>;

/** The same name, however it is capitalized, spaced or encoded. */
export const toNameKey = (name: string): string =>
  name.normalize('NFKC').toLowerCase().replaceAll(/\s+/g, ' ').trim();

/** Markup in a name is shown as plain text. */
const Name = z
  .string()
  .trim()
  .min(1, 'Enter a name.')
  .max(MAX_ARTIST_NAME, `Use at most ${MAX_ARTIST_NAME} characters.`)
  .regex(/^\P{Cc}*$/u, 'Use one line of text.')
  .regex(/[\p{L}\p{N}\p{P}\p{S}]/u, 'Use at least one letter or number.')
  .overwrite((name) => name.normalize('NFC').replaceAll(/\s+/g, ' '));

/**
 * The artists of a track, in the order they are named: the artist with this id; without one, or when
 * it no longer exists, the one with this name, or a new one.
 */
export const TrackArtists = z
  .array(z.strictObject({ id: z.string().max(64).optional(), name: Name }))
  .max(MAX_TRACK_ARTISTS, `Name at most ${MAX_TRACK_ARTISTS} artists.`)
  .refine(
    (artists) => new Set(artists.map(({ name }) => toNameKey(name))).size === artists.length,
    'Name each artist once.',
  );
export type TrackArtists = z.output<typeof TrackArtists>;

/** Undefined unless it is a full https address of another site, without a password in it. */
export function parseLink(text: string): string | undefined {
  if (!/^https:\/\/[^\s\p{Cc}\\]+$/iu.test(text) || !URL.canParse(text)) return undefined;
  const { protocol, username, password, hostname, href } = new URL(text);
  const isNamed = /\.[a-z][a-z0-9-]*\.?$/i.test(hostname);
  return protocol === 'https:' && isNamed && username === '' && password === '' ? href : undefined;
}

const Link = z
  .string()
  .trim()
  .max(MAX_LINK_LENGTH, `Use at most ${MAX_LINK_LENGTH} characters.`)
  .refine(
    (text) => parseLink(text) !== undefined,
    'Enter a full address, such as https://example.com/name.',
  )
  .overwrite((text) => parseLink(text) ?? text);

/** Everything an administrator can edit of an artist. */
export const ArtistFields = z.strictObject({
  name: Name,
  about: z
    .string()
    .trim()
    .max(MAX_ARTIST_ABOUT, `Use at most ${MAX_ARTIST_ABOUT} characters.`)
    .overwrite((text) => text.replaceAll(/\r\n?/g, '\n'))
    .regex(/^[^\p{Cc}]*(?:[\n\t][^\p{Cc}]*)*$/u, 'This text contains an invalid character.'),
  links: z
    .array(Link)
    .max(MAX_ARTIST_LINKS, `Use at most ${MAX_ARTIST_LINKS} links.`)
    .overwrite((links) => [...new Set(links)]),
});
export type ArtistFields = z.output<typeof ArtistFields>;

export const artistRoutes = defineRoutes({
  'GET /api/artists/:id': {
    summary: 'An artist of at least one mix that the viewer may see.',
    params: z.object({ id: z.string().max(64) }),
    response: Artist,
    errors: ['not_found', 'subscribers_only'],
  },
});
