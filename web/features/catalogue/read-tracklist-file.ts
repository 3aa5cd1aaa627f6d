import { decodeText } from '#contract/tracklists/decode-text.ts';
import { readTracklist, type ReadTracklist } from '#contract/tracklists/read-tracklist.ts';

export { readTracklist };

export const readTracklistFile = (bytes: Uint8Array): ReadTracklist =>
  readTracklist(decodeText(bytes));
