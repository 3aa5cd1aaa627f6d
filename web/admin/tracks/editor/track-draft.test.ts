import { describe, expect, it } from 'vitest';
import {
  changeForm,
  findReleaseWarning,
  mergeIncoming,
  parseChange,
  proposeRelease,
  toForm,
  type TrackForm,
} from './track-draft.ts';

const ZONE = 'Africa/Johannesburg';
const NOW = Date.UTC(2026, 10, 15, 12);
const before = toForm(
  {
    title: 'Pool Lights',
    artists: [{ id: 'a1', name: 'Zola' }],
    week: 48,
    year: 2026,
    genre: null,
    series: null,
    bpm: 124,
    description: '',
    chapters: [],
    isSubscriberOnly: false,
    hasDownloads: true,
    hasLossless: true,
    hasSaving: true,
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
    expect(parse({ artists: [{ id: 'a1', name: 'Zola' }] })).toEqual({ data: {} });
    expect(parse({ artists: [{ name: 'Ama' }, { name: ' ' }] })).toEqual({
      data: { artists: [{ name: 'Ama' }] },
    });
    expect(parse({ artists: [] })).toEqual({ data: { artists: [] } });
  });

  it('fills fields that no one has edited with tags found in the file', () => {
    const typed = { ...before, title: 'My own title' };
    const tagged = { ...before, title: 'Title of the tags', genre: 'Gqom' };
    expect(mergeIncoming(typed, before, tagged)).toEqual({ ...typed, genre: 'Gqom' });
  });

  it('sends what a file said about its tracks, as long as they keep their names', () => {
    const details = { isrc: 'ZAUM71900001' };
    const imported = [{ at: 0, artist: 'Relay Room', title: 'Substation', details }];
    const tracklist = '0:05 Relay Room - Substation\n4:30 Kasi Voltage - Siren';
    expect(parse({ tracklist, details: imported })).toEqual({
      data: {
        chapters: [
          { at: 5, artist: 'Relay Room', title: 'Substation', details },
          { at: 270, artist: 'Kasi Voltage', title: 'Siren' },
        ],
      },
    });
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
    [{ tracklist: '12:75 nonsense' }, 'tracklist'],
    [{ releaseKind: 'at' as const, releaseAt: '' }, 'release'],
    [{ releaseKind: 'at' as const, releaseAt: '2026-11-15T12:00' }, 'release'],
  ])('shows the problem with %j at its field', (change, field) => {
    expect(Object.keys(parse(change).errors ?? {})).toContain(field);
  });
});

describe('the proposed release', () => {
  const rhythm = { releaseDay: 4, releaseHour: 6, timeZone: ZONE };
  const change = (form: Partial<TrackForm>, part: Partial<TrackForm>) =>
    changeForm({ ...before, ...form }, part, rhythm, NOW).releaseAt;

  it('is the release time of the mix’s own week, and moves with the week', () => {
    expect(change({}, { releaseKind: 'at' })).toBe('2026-11-27T06:00');
    const proposed = { releaseKind: 'at', releaseAt: '2026-11-27T06:00' } as const;
    expect(change(proposed, { week: '49' })).toBe('2026-12-04T06:00');
    expect(change(proposed, { week: '' })).toBe('2026-11-27T06:00');
  });

  it('still moves after the week was deleted and typed again', () => {
    const scheduled: TrackForm = { ...before, releaseKind: 'at', releaseAt: '2026-11-27T06:00' };
    const type = (form: TrackForm, week: string) => changeForm(form, { week }, rhythm, NOW);
    expect(['4', '', '4', '49'].reduce(type, scheduled).releaseAt).toBe('2026-12-04T06:00');
    const chosen = { ...scheduled, releaseAt: '2026-11-26T20:00' };
    expect(['4', '', '4', '49'].reduce(type, chosen).releaseAt).toBe('2026-11-26T20:00');
  });

  it('keeps a time that someone chose', () => {
    const chosen = { releaseKind: 'at', releaseAt: '2026-11-26T20:00' } as const;
    expect(change(chosen, { week: '49' })).toBe('2026-11-26T20:00');
    expect(change(chosen, { releaseAt: '2026-11-26T21:00' })).toBe('2026-11-26T21:00');
    expect(change({ ...chosen, releaseKind: 'draft' }, { releaseKind: 'at' })).toBe(
      '2026-11-26T20:00',
    );
  });

  it('comes when the site’s release time is known, also if someone chose to schedule before', () => {
    const propose = (part: Partial<TrackForm>) =>
      proposeRelease({ ...before, ...part }, before, rhythm, NOW).releaseAt;
    expect(propose({ releaseKind: 'at' })).toBe('2026-11-27T06:00');
    expect(propose({ releaseKind: 'at', week: '49' })).toBe('2026-12-04T06:00');
    expect(propose({ releaseKind: 'at', releaseAt: '2026-11-26T20:00' })).toBe('2026-11-26T20:00');
    expect(propose({})).toBe('');
  });

  it('replaces the time of a release that is over', () => {
    const published = { releaseKind: 'now', releaseAt: '2026-11-13T06:00' } as const;
    expect(change(published, { releaseKind: 'at' })).toBe('2026-11-27T06:00');
  });
});

it('warns about a release outside its week, scheduled or immediate, but not about one that is already out', () => {
  const warn = (form: Partial<TrackForm>) => findReleaseWarning({ ...before, ...form }, ZONE, NOW);
  const outside = 'Week 48 is 23–29 November, and this is in week 49.';
  expect(warn({ releaseKind: 'at', releaseAt: '2026-11-30T00:00' })).toBe(outside);
  expect(warn({ releaseKind: 'at', releaseAt: '2026-11-29T23:59' })).toBeNull();
  expect(warn({ releaseKind: 'now' })).toContain('in week 46');
  expect(warn({ releaseKind: 'now', releaseAt: '2026-11-01T06:00' })).toBeNull();
  expect(warn({ releaseKind: 'draft' })).toBeNull();
});
