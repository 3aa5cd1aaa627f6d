import type { Part } from './answer.ts';
import { listItems } from './albums.ts';
import { getItem } from './browsing.ts';
import type { CallContext, Calls, Reader } from './call.ts';
import { toIsoTime } from './call.ts';
import { SubsonicError } from './errors.ts';
import { toSong, type TrackItem } from './track-items.ts';

/** The site's mixes are also one podcast, for apps that show podcasts apart from music. */
const CHANNEL = 'podcast';
const MAX_EPISODES = 500;

const toEpisode = (reader: Reader, item: TrackItem): Part => ({
  ...toSong(reader, item),
  type: 'podcast',
  streamId: item.track.id,
  channelId: CHANNEL,
  description: item.track.description,
  status: 'completed',
  publishDate: toIsoTime(item.track.publishedAt),
});

async function listEpisodes(context: CallContext, limit: number): Promise<Part[]> {
  const items = await listItems(context, {}, { order: 'newest', limit, offset: 0 });
  return items.map((item) => toEpisode(context, item));
}

async function getPodcasts(context: CallContext): Promise<Part> {
  const { deps, params } = context;
  const id = params.find('id');
  if (id && id !== CHANNEL) throw new SubsonicError(70);
  const { siteName } = deps.config;
  const [newest] = await listItems(context, {}, { order: 'newest', limit: 1, offset: 0 });
  const channel = {
    id: CHANNEL,
    url: `${deps.site.origin}/feed.xml`,
    title: siteName,
    description: `A new mix from ${siteName} every week.`,
    coverArt: newest?.track.id,
    status: 'completed',
  };
  if (params.flag('includeEpisodes') === false) return { podcasts: { channel: [channel] } };
  const episode = await listEpisodes(context, MAX_EPISODES);
  return { podcasts: { channel: [{ ...channel, episode }] } };
}

const refuse = async (): Promise<Part> => {
  throw new SubsonicError(50, 'The podcast of this site can’t be changed.');
};

export const podcastCalls: Calls = {
  getPodcasts,
  getNewestPodcasts: async (context) => {
    const limit = context.params.number('count', { otherwise: 20, max: MAX_EPISODES });
    return { newestPodcasts: { episode: await listEpisodes(context, limit) } };
  },
  getPodcastEpisode: async (context) => ({
    podcastEpisode: toEpisode(context, await getItem(context, context.params.id())),
  }),
  refreshPodcasts: async () => ({}),
  // Every episode is here already.
  downloadPodcastEpisode: async (context) => {
    await getItem(context, context.params.id());
    return {};
  },
  createPodcastChannel: refuse,
  deletePodcastChannel: refuse,
  deletePodcastEpisode: refuse,
};
