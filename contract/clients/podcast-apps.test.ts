import { describe, expect, it } from 'vitest';
import { listPodcastApps } from './podcast-apps.ts';

const linksOf = (url: string) =>
  Object.fromEntries(listPodcastApps(url).map(({ name, href }) => [name, href]));

describe('the links of podcast apps', () => {
  it('open a feed as each app documents it', () => {
    expect(linksOf('https://music.example/feed/t0ken')).toEqual({
      'Apple Podcasts': 'podcast://music.example/feed/t0ken',
      'Pocket Casts': 'pktc://subscribe/music.example/feed/t0ken',
      Overcast: 'overcast://x-callback-url/add?url=https%3A%2F%2Fmusic.example%2Ffeed%2Ft0ken',
      AntennaPod: 'antennapod-subscribe://music.example/feed/t0ken',
      'Podcast Addict': 'podcastaddict://music.example/feed/t0ken',
      Castro: 'castros://subscribe/music.example/feed/t0ken',
    });
  });

  it('open a feed without TLS in apps that tell the two apart', () => {
    const links = linksOf('http://localhost:3000/feed.xml');
    expect(links.Castro).toBe('castro://subscribe/localhost:3000/feed.xml');
    expect(links.Overcast).toContain('http%3A%2F%2Flocalhost');
  });

  it('never send the address to a website', () => {
    for (const href of Object.values(linksOf('https://music.example/feed/t0ken')))
      expect(href).not.toMatch(/^https?:/);
  });
});
