export { readTracklist, readTracklistFile } from '#contract/tracklists/read-tracklist.ts';
