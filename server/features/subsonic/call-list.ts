import { annotationCalls } from './annotations.ts';
import { bookmarkCalls } from './bookmarks.ts';
import { browsingCalls } from './browsing.ts';
import type { Calls } from './call.ts';
import { listCalls } from './lists.ts';
import { lyricsCalls } from './lyrics.ts';
import { playlistCalls } from './playlists.ts';
import { podcastCalls } from './podcasts.ts';
import { scrobbleCalls } from './scrobbling.ts';
import { searchCalls } from './searching.ts';
import { systemCalls } from './system.ts';

export { fileCalls } from './media.ts';
export { extensions } from './system.ts';

/** Loaded with the first call, because most sites have few listeners with such an app. */
export const calls: Calls = {
  ...systemCalls,
  ...browsingCalls,
  ...listCalls,
  ...searchCalls,
  ...lyricsCalls,
  ...annotationCalls,
  ...scrobbleCalls,
  ...playlistCalls,
  ...bookmarkCalls,
  ...podcastCalls,
};
