import { PRODUCT_NAME } from '../../env-settings.ts';
import type { PodcastNs, RssFeed } from 'feedsmith';
import { PREVIEW_SECONDS, PREVIEW_TEXT } from '#contract/rules/preview.ts';
import type { Chapter } from '#contract/tracks.ts';
import type { RenditionName } from '../../db/types/tables.ts';
import { findExtension, withoutParameters } from '../../http/send/attachment.ts';
import { escapeHtml } from '../../http/send/escape-html.ts';
import type { TrackFacts } from '../tracks/service.ts';
import { nameTracks } from './file-names.ts';
import { buildPodcastGuid } from './podcast-guid.ts';

/** Previews for everyone, full mixes for a subscriber, or previews after a subscription has ended. */
type FeedKind = 'previews' | 'full' | 'ended';

export type FeedSource = {
  kind: FeedKind;
  /** Private feeds have a second address, which gives the small files. */
  isDataSaver: boolean;
  origin: string;
  siteName: string;
  sentence: string;
  /** Where the picture of the show is. */
  artwork: string;
  tracks: readonly TrackFacts[];
  /** Ids of those whose MP3 members may keep. */
  kept: ReadonlySet<string>;
  modifiedAt: number;
  earlyMs: number;
  /** Who could move the podcast to another host; empty if the site names nobody. */
  ownerEmail: string;
};

/**
 * A year of weeks is described in full. Tracklists and other files make an item three times as large,
 * and many apps load nothing beyond the first page, so older mixes go without them.
 */
export const IN_FULL = 52;

/** Where the private feed of a token is. */
export const feedAddresses = {
  standard: (token: string) => `/feed/${token}`,
  dataSaver: (token: string) => `/feed/${token}/data-saver`,
};

/** Placeholders for what differs between subscribers, so that all of them share the rest. */
export type Marks = { token: string; endedAt: string; endedDate: string };

export type Feed = RssFeed.Feed<Date | string>;
export type Item = RssFeed.Item<Date | string>;

/** The audio of a track by the name in its address. */
export const FILES = { full: 'stream', saver: 'dataSaver', best: 'mp3' } as const satisfies Record<
  string,
  RenditionName
>;
type FileName = keyof typeof FILES;

/** The two files of a mix have different names too. */
const ENDINGS: Record<FileName, string> = { full: '', saver: '-data-saver', best: '-high-quality' };

const TITLES: Record<FileName, string> = {
  full: 'Standard',
  saver: 'Data saver',
  best: 'High quality',
};

const pad = (number: number): string => String(number).padStart(2, '0');

/** Apps turn `04:10` and `1:02:30` in a description into links to that moment. */
function formatTime(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const hours = Math.floor(whole / 3600);
  const rest = `${pad(Math.floor(whole / 60) % 60)}:${pad(whole % 60)}`;
  return hours > 0 ? `${hours}:${rest}` : rest;
}

const nameChapter = ({ artist, title }: Chapter): string =>
  artist ? `${artist} – ${title}` : title;

/** With every chapter, also those without a time. */
const describeChapters = (chapters: readonly Chapter[]): string =>
  chapters
    .map((chapter) => {
      const time = chapter.at === null ? '' : `${formatTime(chapter.at)} `;
      return escapeHtml(`${time}${nameChapter(chapter)}`);
    })
    .join('<br />');

const toHtml = (text: string): string =>
  text
    .trim()
    .split(/\n\s*\n/)
    .map((paragraph) => `<p>${escapeHtml(paragraph.trim()).replaceAll('\n', '<br />')}</p>`)
    .join('');

function describeTracklist(chapters: readonly Chapter[], item: FeedItem, url: string): string {
  if (chapters.length === 0) return '';
  const title = item.kind === 'full' ? 'Tracklist' : 'Tracklist of the full mix';
  if (item.isBrief) return `<p><a href="${url}">${title}</a></p>`;
  return `<p>${title}</p><p>${describeChapters(chapters)}</p>`;
}

type FeedItem = { kind: FeedKind; isBrief: boolean };

function describeTrack({ row, detail }: TrackFacts, item: FeedItem, url: string): string {
  const facts = [
    `Week ${row.week}, ${row.year}`,
    ...(row.genre ? [row.genre] : []),
    ...(row.bpm ? [`${row.bpm} BPM`] : []),
  ].join(' · ');
  return [
    ...(row.description.trim() ? [toHtml(row.description)] : []),
    `<p>${escapeHtml(facts)}</p>`,
    ...(item.kind === 'full'
      ? []
      : [`<p>This is a ${PREVIEW_TEXT}. <a href="${url}">Hear the full mix</a></p>`]),
    describeTracklist(detail.chapters, item, url),
  ].join('');
}

/** Chapters as podcast apps read them (version 1.2). They need a time. */
export function buildChapters({ row, detail }: TrackFacts, siteName: string): object {
  const timed = detail.chapters.flatMap((chapter) =>
    chapter.at === null ? [] : [{ startTime: chapter.at, title: nameChapter(chapter) }],
  );
  return {
    version: '1.2.0',
    title: row.title,
    podcastName: siteName,
    chapters: timed.toSorted((a, b) => a.startTime - b.startTime),
  };
}

/** For subscribers a mix is new when they first get it, before everyone else. */
function findDate({ row }: TrackFacts, { kind, earlyMs }: FeedSource): Date {
  const released = row.publish_at ?? 0;
  if (kind !== 'full') return new Date(released);
  return new Date(Math.min(released, Math.max(released - earlyMs, row.created_at)));
}

function pictureOf({ row }: TrackFacts, origin: string): string {
  const [, cover] = /^covers\/([a-z0-9]+)\.webp$/.exec(row.cover_key ?? '') ?? [];
  if (cover) return `${origin}/feed/covers/${cover}.jpg`;
  return `${origin}/media/sleeves/${encodeURIComponent(row.id)}-square.png`;
}

const trackUrl = (track: TrackFacts, origin: string): string =>
  `${origin}/track/${encodeURIComponent(track.row.id)}`;

/** With the name that its files end with, which says nothing to the server. */
type NamedTrack = { track: TrackFacts; fileName: string; isBrief: boolean };

/** The whole mix, and what a subscriber gets with it. */
function buildFullAudio(
  { track, fileName, isBrief }: NamedTrack,
  { origin, isDataSaver, kept }: FeedSource,
  token: string,
): Item | null {
  const { row, detail } = track;
  const folder = `${origin}/feed/${token}/${encodeURIComponent(row.id)}`;
  const seconds = row.duration_ms / 1000;
  const files = (Object.keys(FILES) as FileName[]).flatMap((name) => {
    const file = track.findFile(FILES[name]);
    if (!file || (name === 'best' && !kept.has(row.id))) return [];
    const type = withoutParameters(file.media_type);
    const url = `${folder}/${name}/${fileName}${ENDINGS[name]}.${findExtension(type)}`;
    return [{ name, type, length: file.size, url }];
  });
  const full = files.find(({ name }) => name === 'full');
  // A mix without a small file is still in the feed.
  const main = (isDataSaver && files.find(({ name }) => name === 'saver')) || full;
  if (!main) return null;
  const alternateEnclosures = files.map(({ name, url, ...file }): PodcastNs.AlternateEnclosure => ({
    ...file,
    ...(seconds > 0 && { bitrate: Math.round((file.length * 8) / seconds) }),
    title: TITLES[name],
    default: name === main.name,
    sources: [{ uri: url }],
  }));
  const start = (row.preview_start_ms ?? 0) / 1000;
  const hasChapters = detail.chapters.some(({ at }) => at !== null);
  return {
    enclosures: [{ url: main.url, length: main.length, type: main.type }],
    itunes: { duration: Math.round(seconds) },
    podcast: {
      ...(!isBrief && {
        alternateEnclosures,
        soundbites: [
          { startTime: start, duration: Math.min(PREVIEW_SECONDS, seconds), display: row.title },
        ],
      }),
      ...(hasChapters && {
        chapters: {
          url: `${folder}/chapters/${fileName}-chapters.json`,
          type: 'application/json+chapters',
        },
      }),
    },
  };
}

function buildPreviewAudio(
  { track, fileName }: Omit<NamedTrack, 'isBrief'>,
  { origin }: FeedSource,
): Item | null {
  const file = track.findFile('preview');
  if (!file) return null;
  const seconds = Math.min(PREVIEW_SECONDS, track.row.duration_ms / 1000);
  const type = withoutParameters(file.media_type);
  const folder = `${origin}/feed/public/${encodeURIComponent(track.row.id)}/preview`;
  return {
    enclosures: [{ url: `${folder}/${fileName}.${findExtension(type)}`, length: file.size, type }],
    itunes: { duration: Math.round(seconds) },
  };
}

const host = (display: string, href: string): PodcastNs.Person => ({ display, role: 'host', href });

/** The artists that a mix names, or else the DJ of the site. */
const listPersons = ({ artists }: TrackFacts, { origin, siteName }: FeedSource) =>
  artists.length === 0
    ? [host(siteName, `${origin}/`)]
    : artists.map(({ id, name }) => host(name, `${origin}/artist/${encodeURIComponent(id)}`));

/** Null if a file is missing: an app would never get it. */
function buildItem(named: NamedTrack, source: FeedSource, token: string): Item | null {
  const { track, fileName, isBrief } = named;
  const { kind, origin, siteName } = source;
  const { row, artists } = track;
  const audio =
    kind === 'full'
      ? buildFullAudio(named, source, token)
      : buildPreviewAudio({ track, fileName: `${fileName}-preview` }, source);
  if (!audio) return null;
  const url = trackUrl(track, origin);
  return {
    title: row.title,
    link: url,
    description: describeTrack(track, { kind, isBrief }, url),
    ...audio,
    guid: { value: row.id, isPermaLink: false },
    pubDate: findDate(track, source),
    ...(row.genre && { categories: [{ name: row.genre }] }),
    itunes: {
      ...audio.itunes,
      ...(!isBrief && { title: row.title }),
      author: artists.map(({ name }) => name).join(', ') || siteName,
      image: pictureOf(track, origin),
      explicit: false,
      season: row.year,
      episode: row.week,
      episodeType: 'full',
    },
    podcast: {
      ...audio.podcast,
      ...(!isBrief && {
        season: { number: row.year },
        episode: { number: row.week, display: `Week ${row.week}` },
        persons: listPersons(track, source),
      }),
    },
  };
}

/** Apps hide an entry without audio, so it has that of the newest preview, at an address of its own. */
function buildEndedItem(source: FeedSource, marks: Marks): Item {
  const { origin, siteName, tracks } = source;
  const url = `${origin}/pricing`;
  const [newest] = tracks;
  const fileName = 'your-subscription-has-ended';
  const audio = newest && buildPreviewAudio({ track: newest, fileName }, source);
  const title = 'Your subscription has ended';
  return {
    title,
    link: url,
    description: `<p>Your subscription to ${escapeHtml(siteName)} has ended, so this feed now has a ${PREVIEW_TEXT} of each mix. <a href="${url}">Renew your subscription</a>, and the full mixes come back here, at the same address.</p>`,
    ...(audio?.enclosures && { enclosures: audio.enclosures }),
    guid: { value: `subscription-ended-${marks.endedAt}`, isPermaLink: false },
    pubDate: marks.endedDate,
    itunes: { ...audio?.itunes, title, author: siteName, explicit: false, episodeType: 'bonus' },
  };
}

const describeKind = ({ kind, siteName, isDataSaver }: FeedSource): string =>
  kind === 'previews'
    ? `A ${PREVIEW_TEXT} of every mix on ${siteName}. Subscribers get the full mixes in a podcast feed of their own.`
    : kind === 'full'
      ? `Every mix on ${siteName}, in full${isDataSaver ? ', in small files that save data' : ''}. This address is yours alone: anyone who has it can listen in your name.`
      : `Your subscription has ended, so this feed has a ${PREVIEW_TEXT} of every mix on ${siteName}. The full mixes come back when you renew it.`;

/** What the show is, then what this feed has of it. */
const describeFeed = (source: FeedSource): string =>
  [source.sentence, describeKind(source)].filter(Boolean).join(' ');

/** Two feeds of one show can be in the same app, so they have different names. */
function nameFeed({ kind, siteName, isDataSaver }: FeedSource): string {
  if (kind === 'previews') return `${siteName}: previews`;
  return isDataSaver ? `${siteName} (data saver)` : siteName;
}

/** Not yet text, and not yet in pages: see `feed-template.ts`. */
export function buildFeed(
  source: FeedSource,
  marks: Marks,
): { url: string; channel: Feed; items: Item[] } {
  const { kind, isDataSaver, origin, siteName, tracks, modifiedAt, ownerEmail } = source;
  const isPrivate = kind !== 'previews';
  const title = nameFeed(source);
  const address = isDataSaver ? feedAddresses.dataSaver : feedAddresses.standard;
  const image = `${origin}${source.artwork}`;
  const names = nameTracks(tracks);
  const items = tracks.flatMap((track, index) => {
    const fileName = names.get(track.row.id) ?? '';
    return buildItem({ track, fileName, isBrief: index >= IN_FULL }, source, marks.token) ?? [];
  });
  const channel = {
    title,
    link: `${origin}/`,
    description: describeFeed(source),
    language: 'en',
    lastBuildDate: new Date(modifiedAt),
    generator: PRODUCT_NAME,
    ttl: 60,
    image: { url: image, title, link: `${origin}/` },
    itunes: {
      title,
      author: siteName,
      image,
      categories: [{ text: 'Music' }],
      explicit: false,
      type: 'episodic',
      ...(isPrivate && { block: true }),
    },
    podcast: {
      // The private feeds of all members are one podcast, and it stays the same when someone renews
      // the address; those that save data are another.
      guid: buildPodcastGuid(
        `${origin}/feed${isPrivate ? (isDataSaver ? '/data-saver' : '') : '.xml'}`,
      ),
      locked: { value: true, ...(ownerEmail && { owner: ownerEmail }) },
      medium: 'podcast',
      persons: [host(siteName, `${origin}/`)],
      updateFrequency: { display: 'Weekly', rrule: 'FREQ=WEEKLY' },
      ...(isPrivate && { blocks: [{ value: true }] }),
    },
  } satisfies Feed;
  return {
    url: origin + (isPrivate ? address(marks.token) : '/feed.xml'),
    channel,
    items: kind === 'ended' ? [buildEndedItem(source, marks), ...items] : items,
  };
}
