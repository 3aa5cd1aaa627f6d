import { describe, expect, it } from 'vitest';
import { mergeIncoming, parseChange, toForm, type TrackForm } from './track-draft.ts';

const ZONE = 'Africa/Johannesburg';
const NOW = Date.UTC(2026, 10, 15, 12);
const before = toForm(
  {
    title: 'Pool Lights',
    week: 48,
    year: 2026,
    genre: null,
    description: '',
    chapters: [],
    isSubscriberOnly: false,
    previewStart: 10,
    publishAt: null,
  },
  ZONE,
  NOW,
);
const read = (change: Partial<TrackForm>) =>
  parseChange({ ...before, ...change }, before, ZONE, NOW);

describe('the form of a mix', () => {
  it('sends only what was changed', () => {
    expect(read({})).toEqual({ change: {} });
    expect(read({ title: 'Other' })).toEqual({ change: { title: 'Other' } });
    expect(read({ week: '49' })).toEqual({ change: { week: 49, year: 2026 } });
  });

  it('takes in what is read of the file meanwhile, where nobody has typed', () => {
    const typed = { ...before, title: 'My own title' };
    const tagged = { ...before, title: 'Title of the tags', genre: 'Gqom' };
    expect(mergeIncoming(typed, before, tagged)).toEqual({ ...typed, genre: 'Gqom' });
  });

  it('reads a release on the clocks of the site', () => {
    expect(read({ releaseKind: 'at', releaseAt: '2026-11-20T06:00' })).toEqual({
      change: { release: { kind: 'at', at: Date.UTC(2026, 10, 20, 4) } },
    });
  });

  it.each([
    [{ title: ' ' }, 'title'],
    [{ week: '54' }, 'week'],
    [{ week: 'x' }, 'week'],
    [{ year: '1800' }, 'year'],
    [{ week: '53', year: '2025' }, 'week'],
    [{ tracklist: 'nonsense' }, 'tracklist'],
    [{ releaseKind: 'at' as const, releaseAt: '' }, 'release'],
    [{ releaseKind: 'at' as const, releaseAt: '2026-11-15T12:00' }, 'release'],
  ])('says what is wrong with %j at its field', (change, field) => {
    expect(Object.keys(read(change).errors ?? {})).toContain(field);
  });
});
