import type { CardShape } from '#contract/art/card-shapes.ts';
import type { SiteLook } from '#contract/look.ts';
import type { TrackDetail } from '#contract/tracks.ts';
import { escapeHtml } from '../../http/send/escape-html.ts';
import { buildHead, type PageHead, type Site } from '../../http/pages/page-head.ts';
import { cardLookOf, toCardPath } from './card-pictures.ts';

/** ISO 8601: `PT59M20S`. */
const toIsoDuration = (seconds: number): string =>
  `PT${Math.floor(seconds / 60)}M${Math.floor(seconds % 60)}S`;

/** What the card of a track shows. */
export const cardOf = (track: TrackDetail, look: SiteLook, shape: CardShape = 'wide') => ({
  kind: 'track' as const,
  look: cardLookOf(look),
  shape,
  track: { id: track.id, title: track.title, year: track.year, week: track.weekNumber },
  coverKey: track.coverUrl && `covers/${track.coverUrl.split('/').at(-1)}`,
});

/** What link previews and browsers without scripts show of a track, as visitors see it. */
export function buildTrackHead(track: TrackDetail, site: Site): PageHead {
  if (track.access !== 'preview') throw new Error('A head shows what visitors may hear.');
  const { title, weekNumber, year, genre, duration, artists = [] } = track;
  const { origin, siteName } = site;
  const path = `/track/${encodeURIComponent(track.id)}`;
  const names = artists.map(({ name }) => name).join(', ');
  const facts = [names, `Week ${weekNumber}, ${year}`, genre].filter(Boolean).join(' · ');
  const description = track.description.trim() || `${facts} on ${siteName}`;
  const audio = `${origin}${track.fileUrl}`;
  return buildHead(site, {
    path,
    title,
    linkTitle: `${title} · ${facts}`,
    description,
    type: 'music.song',
    card: { path: toCardPath(cardOf(track, site)), alt: `Cover of ${title}` },
    alternates: (['json', 'xml'] as const).map((format) => ({
      type: format === 'json' ? 'application/json+oembed' : 'text/xml+oembed',
      path: `/oembed?url=${encodeURIComponent(`${origin}${path}`)}&format=${format}`,
      title,
    })),
    tags: {
      'og:audio': audio,
      ...(audio.startsWith('https:') && { 'og:audio:secure_url': audio }),
      'og:audio:type': 'audio/mpeg',
      'music:duration': String(Math.round(duration)),
    },
    data: {
      '@type': 'MusicRecording',
      name: title,
      ...(artists.length > 0 && {
        byArtist: artists.map(({ id, name }) => ({
          '@type': 'MusicGroup',
          name,
          url: `${origin}/artist/${encodeURIComponent(id)}`,
        })),
      }),
      ...(genre && { genre }),
      duration: toIsoDuration(duration),
      datePublished: new Date(track.publishedAt).toISOString().slice(0, 10),
      interactionStatistic: {
        '@type': 'InteractionCounter',
        interactionType: 'https://schema.org/ListenAction',
        userInteractionCount: track.plays,
      },
      audio: {
        '@type': 'AudioObject',
        name: `${title}, preview`,
        contentUrl: audio,
        encodingFormat: 'audio/mpeg',
      },
      publisher: { '@type': 'Organization', name: siteName, url: origin },
    },
    plain:
      `<h1>${escapeHtml(title)}</h1><p>${escapeHtml(facts)}</p>` +
      `<p>${escapeHtml(description)}</p>` +
      `<p><a href="/login?next=${encodeURIComponent(path)}">Login</a></p>`,
  });
}
