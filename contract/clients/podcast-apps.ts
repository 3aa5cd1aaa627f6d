/** A podcast app, and a link that opens a feed in it. */
export type PodcastApp = { name: string; href: string };

/**
 * Links of apps that open a feed by its address. None goes through a website of the app: the address of
 * a private feed is a secret.
 */
export function listPodcastApps(feedUrl: string): PodcastApp[] {
  const [scheme = 'https', address = ''] = feedUrl.split('://');
  return [
    { name: 'Apple Podcasts', href: `podcast://${address}` },
    { name: 'Pocket Casts', href: `pktc://subscribe/${address}` },
    { name: 'Overcast', href: `overcast://x-callback-url/add?url=${encodeURIComponent(feedUrl)}` },
    { name: 'AntennaPod', href: `antennapod-subscribe://${address}` },
    { name: 'Podcast Addict', href: `podcastaddict://${address}` },
    {
      name: 'Castro',
      href: `${scheme === 'https' ? 'castros' : 'castro'}://subscribe/${address}`,
    },
  ];
}
