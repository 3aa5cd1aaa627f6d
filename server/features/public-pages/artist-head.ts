import type { Artist } from '#contract/artists/artists.ts';
import type { SiteLook } from '#contract/look.ts';
import type { Track } from '#contract/tracks.ts';
import { escapeHtml } from '../../http/send/escape-html.ts';
import { buildHead, type PageHead, type Site } from '../../http/pages/page-head.ts';
import { cardLookOf, toCardPath, type Card } from './card-pictures.ts';

const toCoverKey = (url: string | null | undefined): string | null =>
  url ? `covers/${url.split('/').at(-1)}` : null;

/** What the card of an artist shows: their picture, or else the cover of their newest mix. */
export function artistCardOf(
  { id, name, pictureUrl }: Artist,
  tracks: readonly Track[],
  look: SiteLook,
): Extract<Card, { kind: 'artist' | 'site' }> {
  const [newest] = tracks;
  if (!newest) return { kind: 'site', look: cardLookOf(look) };
  const weeks = [...new Set(tracks.map(({ weekNumber }) => weekNumber))];
  return {
    kind: 'artist',
    look: cardLookOf(look),
    artist: { id, name, newest: { id: newest.id, week: newest.weekNumber }, weeks },
    coverKey: toCoverKey(pictureUrl ?? newest.coverUrl),
  };
}

const toTrackPath = (id: string): string => `/track/${encodeURIComponent(id)}`;

/** What link previews and browsers without scripts show of an artist, as visitors see them. */
export function buildArtistHead(artist: Artist, tracks: readonly Track[], site: Site): PageHead {
  const { name, about, links, pictureUrl } = artist;
  const { origin, siteName } = site;
  const description = about.trim() || `Mixes by ${name} on ${siteName}.`;
  const items = tracks.map(
    ({ id, title }) => `<li><a href="${escapeHtml(toTrackPath(id))}">${escapeHtml(title)}</a></li>`,
  );
  return buildHead(site, {
    path: `/artist/${encodeURIComponent(artist.id)}`,
    title: name,
    description,
    type: 'profile',
    card: { path: toCardPath(artistCardOf(artist, tracks, site)), alt: `Mixes by ${name}` },
    data: {
      // The word for solo musicians too.
      '@type': 'MusicGroup',
      name,
      ...(pictureUrl && { image: `${origin}${pictureUrl}` }),
      ...(links.length > 0 && { sameAs: links }),
      track: tracks.map(({ id, title }) => ({
        '@type': 'MusicRecording',
        name: title,
        url: `${origin}${toTrackPath(id)}`,
      })),
    },
    plain:
      `<h1>${escapeHtml(name)}</h1><p>${escapeHtml(description)}</p>` +
      `<ul>${items.join('')}</ul>`,
  });
}
