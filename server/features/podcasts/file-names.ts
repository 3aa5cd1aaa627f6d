import type { TrackFacts } from '../tracks/service.ts';

const MAX_TITLE = 60;

/** Plain letters only: some apps name a file by its address as it stands, percent signs and all. */
const toSlug = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[\p{M}'’]/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, MAX_TITLE)
    .replace(/-$/, '');

/**
 * What ends the addresses of a mix, by its id, such as `2026-week-07-golden-hour`. Programs that save
 * a file under the last part of its address then have one file for each mix, in the order of the weeks.
 */
export function nameTracks(tracks: readonly Pick<TrackFacts, 'row'>[]): Map<string, string> {
  const named = tracks.map(({ row }) => {
    const title = toSlug(row.title);
    const week = `${row.year}-week-${String(row.week).padStart(2, '0')}`;
    return { id: row.id, title, name: title === '' ? week : `${week}-${title}` };
  });
  const byName = Map.groupBy(named, ({ name }) => name);
  return new Map(
    named.map(({ id, title, name }) => {
      const isUnique = title !== '' && byName.get(name)?.length === 1;
      return [id, isUnique ? name : `${name}-${toSlug(id.slice(-8))}`];
    }),
  );
}
