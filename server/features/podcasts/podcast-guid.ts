import { createHash } from 'node:crypto';

/** The namespace of podcasts: https://podcasting2.org/docs/podcast-namespace/tags/guid */
const NAMESPACE = Buffer.from('ead4c236bf5858c6a2c6a6b28d128cb6', 'hex');

/** The id of a podcast: a UUID (version 5) of its address without protocol and trailing slashes. */
export function buildPodcastGuid(url: string): string {
  const name = url.replace(/^\w+:\/\//, '').replace(/\/+$/, '');
  const bytes = createHash('sha1').update(NAMESPACE).update(name).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex');
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(12, 16),
    hex.slice(16, 20),
    hex.slice(20),
  ].join('-');
}
