import type { TrackDetail } from '#contract/tracks.ts';
import { escapeHtml } from '../../http/escape-html.ts';
import { buildHead, type PageHead, type Site } from '../../http/pages/page-head.ts';
import { toCardPath, type Card } from './card-pictures.ts';

/** ISO 8601: `PT59M20S`. */
const toIsoDuration = (seconds: number): string =>
  `PT${Math.floor(seconds / 60)}M${Math.floor(seconds % 60)}S`;

/** What the card of a track shows. */
export const cardOf = (track: TrackDetail, siteName: string): Card => ({
  kind: 'track',
  siteName,
  track: { id: track.id, title: track.title, year: track.year, week: track.weekNumber },
  coverKey: track.coverUrl && `covers/${track.coverUrl.split('/').at(-1)}`,
});

/** What link previews and browsers without scripts show of a track, as visitors see it. */
export function buildTrackHead(track: TrackDetail, site: Site): PageHead {
  if (track.access !== 'preview') throw new Error('A head shows what visitors may hear.');
  const { title, weekNumber, year, genre, duration } = track;
  const { origin, siteName } = site;
  const path = `/track/${encodeURIComponent(track.id)}`;
  const facts = [`Week ${weekNumber}, ${year}`, ...(genre ? [genre] : [])].join(' · ');
  const description = track.description.trim() || `${facts} on ${siteName}`;
  const audio = `${origin}${track.fileUrl}`;
  return buildHead(site, {
    path,
    title,
    linkTitle: `${title} · ${facts}`,
    description,
    type: 'music.song',
    card: { path: toCardPath(cardOf(track, siteName)), alt: `Cover of ${title}` },
    tags: {
      'og:audio': audio,
      ...(audio.startsWith('https:') && { 'og:audio:secure_url': audio }),
      'og:audio:type': 'audio/mpeg',
      'music:duration': String(Math.round(duration)),
    },
    data: {
      '@type': 'MusicRecording',
      name: title,
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
      `<main><h1>${escapeHtml(title)}</h1><p>${escapeHtml(facts)}</p>` +
      `<p>${escapeHtml(description)}</p>` +
      `<p><a href="/login?next=${encodeURIComponent(path)}">Login</a></p></main>`,
  });
}
