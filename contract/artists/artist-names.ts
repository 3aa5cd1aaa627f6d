/** `Zola, Ama`; empty if there are none. */
export const joinNames = (artists: readonly { name: string }[] | undefined): string =>
  artists?.map(({ name }) => name).join(', ') ?? '';

type Described = { artists?: readonly { name: string }[] | undefined; genre: string | null };

/** `Gqom`, or with artists `Zola, Ama · Gqom`. */
export function describeTrack({ artists, genre }: Described): string {
  const names = joinNames(artists);
  return names && genre ? `${names} · ${genre}` : names || genre || 'Unknown Genre';
}
