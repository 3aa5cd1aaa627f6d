/** Lists and tracks; never forms, searches or admin pages. */
const offlinePaths = [
  /^\/api\/tracks(?:\/[^/]+(?:\/peaks|\/favorite)?)?$/,
  /^\/api\/(?:top-20|favorites|downloads|history|playlists)$/,
];
/** Those that look like a track. An old `now` would have the next release still to come when it is out. */
const excludedPaths = ['/api/tracks/search', '/api/tracks/suggest', '/api/tracks/early'];

/** True for requests whose last answer is kept for when there is no network. */
export const isOfflineApi = ({ pathname }: URL): boolean =>
  !excludedPaths.includes(pathname) && offlinePaths.some((pattern) => pattern.test(pathname));
