/** What a link that members share is about. */
export type SharedSubject = {
  kind: 'track' | 'artist' | 'playlist';
  /** Of a playlist, the token of its link. */
  id: string;
};

const KINDS = { track: 'track', artist: 'artist', shared: 'playlist' } as const;

const MAX_ID = 200;

/** What an address is about if members share it; null for all other addresses. */
export function findSharedSubject(address: string): SharedSubject | null {
  const [, name = '', encoded = ''] =
    /^\/(track|artist|shared)\/([^/?#]+)(?:[?#]|$)/i.exec(address) ?? [];
  const kind = KINDS[name.toLowerCase() as keyof typeof KINDS];
  try {
    const id = decodeURIComponent(encoded);
    // PostgreSQL can't compare a text that contains a NUL.
    const isPossible = id !== '' && id.length <= MAX_ID && !id.includes('\0');
    return kind && isPossible ? { kind, id } : null;
  } catch {
    return null;
  }
}
