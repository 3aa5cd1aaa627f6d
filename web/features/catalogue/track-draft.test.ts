import { describe, expect, it } from 'vitest';
import {
  mergeIncoming,
  parseChange,
  suggestRelease,
  toForm,
  type TrackForm,
} from './track-draft.ts';

const ZONE = 'Africa/Johannesburg';
const NOW = Date.UTC(2026, 10, 15, 12);
const before = toForm(
  {
    title: 'Pool Lights',
    week: 48,
    year: 2026,
    genre: null,
    bpm: 124,
    description: '',
    chapters: [],
    isSubscriberOnly: false,
    previewStart: 10,
    publishAt: null,
  },
  ZONE,
  NOW,
);
const parse = (change: Partial<TrackForm>) =>
  parseChange({ ...before, ...change }, before, ZONE, NOW);

describe('the track form', () => {
  it('sends only the edited fields', () => {
    expect(parse({})).toEqual({ data: {} });
    expect(parse({ title: 'Other' })).toEqual({ data: { title: 'Other' } });
    expect(parse({ week: '49' })).toEqual({ data: { week: 49, year: 2026 } });
    expect(parse({ bpm: '128' })).toEqual({ data: { bpm: 128 } });
    expect(parse({ bpm: ' ' })).toEqual({ data: { bpm: null } });
  });

  it('fills fields that no one has edited with tags found in the file', () => {
    const typed = { ...before, title: 'My own title' };
    const tagged = { ...before, title: 'Title of the tags', genre: 'Gqom' };
    expect(mergeIncoming(typed, before, tagged)).toEqual({ ...typed, genre: 'Gqom' });
  });

  it('parses a release time in the time zone of the site', () => {
    expect(parse({ releaseKind: 'at', releaseAt: '2026-11-20T06:00' })).toEqual({
      data: { release: { kind: 'at', at: Date.UTC(2026, 10, 20, 4) } },
    });
  });

  it.each([
    [{ title: ' ' }, 'title'],
    [{ week: '54' }, 'week'],
    [{ week: 'x' }, 'week'],
    [{ year: '1800' }, 'year'],
    [{ bpm: 'fast' }, 'bpm'],
    [{ bpm: '124.5' }, 'bpm'],
    [{ bpm: '19' }, 'bpm'],
    [{ bpm: '401' }, 'bpm'],
    [{ week: '53', year: '2025' }, 'week'],
    [{ tracklist: 'nonsense' }, 'tracklist'],
    [{ releaseKind: 'at' as const, releaseAt: '' }, 'release'],
    [{ releaseKind: 'at' as const, releaseAt: '2026-11-15T12:00' }, 'release'],
  ])('shows the problem with %j at its field', (change, field) => {
    expect(Object.keys(parse(change).errors ?? {})).toContain(field);
  });
});

it('suggests the next release hour in the time zone of the site', () => {
  const night = Date.UTC(2026, 10, 15, 23);
  expect(suggestRelease(night, 6, ZONE)).toBe('2026-11-16T06:00');
  const noon = Date.UTC(2026, 10, 15, 10);
  expect(suggestRelease(noon, 6, ZONE)).toBe('2026-11-16T06:00');
  expect(suggestRelease(noon, 18, ZONE)).toBe('2026-11-15T18:00');
  expect(suggestRelease(noon, 12, ZONE)).toBe('2026-11-16T12:00');
});
