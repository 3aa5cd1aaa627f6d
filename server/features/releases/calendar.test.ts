/** @module-tag both-databases */
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HOUR } from '#contract/rules/time.ts';
import { changeSettings } from '../../db/settings.ts';
import type { TracksTable } from '../../db/types/tables.ts';
import { itOnSqlite } from '../../testing/on-sqlite.ts';
import { seedTrack } from '../../testing/seed-track.ts';
import { createTestApp, type TestApp } from '../../testing/test-app.ts';
import { buildCalendar, escapeText, foldLine } from './calendar.ts';

type Property = { name: string; value: string };

/** RFC 5545: physical lines, then folded ones, then properties. Throws where the grammar doesn't hold. */
function parseCalendar(text: string): Property[] {
  expect(text.endsWith('\r\n')).toBe(true);
  const physical = text.slice(0, -2).split('\r\n');
  for (const line of physical) {
    expect(Buffer.byteLength(line), line).toBeLessThanOrEqual(75);
    expect(line).not.toMatch(/\p{Cc}/u);
  }
  return physical
    .join('\r\n')
    .replaceAll('\r\n ', '')
    .split('\r\n')
    .map((line) => {
      const [, name, value] = /^([A-Z][A-Z-]*)(?:;[A-Z-]+=[^":;,]+)*:(.*)$/u.exec(line) ?? [];
      if (name === undefined || value === undefined) throw new Error(`Not a property: ${line}`);
      return { name, value };
    });
}

const unescape = (text: string): string =>
  text.replace(/\\([\\;,nN])/g, (_, character: string) =>
    character.toLowerCase() === 'n' ? '\n' : character,
  );

type Event = Record<string, string>;

/** The events of a calendar, each with every property that RFC 5545 requires, once. */
function readEvents(text: string): Event[] {
  const properties = parseCalendar(text);
  expect(properties[0]).toEqual({ name: 'BEGIN', value: 'VCALENDAR' });
  expect(properties.at(-1)).toEqual({ name: 'END', value: 'VCALENDAR' });
  const events: Event[] = [];
  let event: Event | null = null;
  for (const { name, value } of properties.slice(1, -1)) {
    if (name === 'BEGIN') {
      expect([event, value]).toEqual([null, 'VEVENT']);
      event = {};
    } else if (name === 'END') {
      expect(value).toBe('VEVENT');
      if (event) events.push(event);
      event = null;
    } else if (event) {
      expect(event).not.toHaveProperty(name);
      event[name] = name === 'SUMMARY' ? unescape(value) : value;
    }
  }
  expect(event).toBeNull();
  for (const { UID, DTSTAMP, DTSTART, SEQUENCE } of events) {
    expect(UID).toMatch(/^[0-9a-f]{32}@\S+$/);
    expect(DTSTAMP).toMatch(/^\d{8}T\d{6}Z$/);
    expect(DTSTART).toMatch(/^\d{8}T\d{6}Z$/);
    expect(SEQUENCE).toMatch(/^\d+$/);
  }
  expect(new Set(events.map(({ UID }) => UID)).size).toBe(events.length);
  return events;
}

const release = {
  trackId: 'some-id',
  week: 47,
  at: Date.parse('2026-11-20T04:00:00Z'),
  version: 3,
  changedAt: Date.parse('2026-11-18T09:30:00Z'),
  title: 'Salt & Sirens',
};
const site = { siteName: 'Weekender', origin: 'https://mixes.example' };

describe('a calendar', () => {
  it('has a release with its page, in UTC', () => {
    const [event] = readEvents(buildCalendar({ ...site, releases: [release] }));
    expect(event).toMatchObject({
      DTSTART: '20261120T040000Z',
      DTSTAMP: '20261118T093000Z',
      DURATION: 'PT1H',
      SEQUENCE: '3',
      SUMMARY: 'Week 47: Salt & Sirens',
      URL: 'https://mixes.example/track/some-id',
    });
  });

  it('can be read whatever a title contains', () => {
    const anything = fc.string({ unit: 'binary', maxLength: 200 });
    fc.assert(
      fc.property(anything, anything, (title, siteName) => {
        const calendar = buildCalendar({ ...site, siteName, releases: [{ ...release, title }] });
        const [event, ...others] = readEvents(calendar);
        expect(others).toEqual([]);
        const clean = title
          .toWellFormed()
          .replace(/\r\n?/g, '\n')
          .replace(/[^\P{Cc}\n]/gu, ' ');
        expect(event?.SUMMARY).toBe(`Week 47: ${clean}`);
      }),
    );
  });

  it('divides no character and adds nothing but a line break and a space', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (text) => {
        const line = `SUMMARY:${escapeText(text)}`;
        const folded = foldLine(line);
        expect(folded.replaceAll('\r\n ', '')).toBe(line);
        for (const each of folded.split('\r\n'))
          expect(Buffer.byteLength(each)).toBeLessThanOrEqual(75);
      }),
    );
  });
});

describe('/releases.ics', () => {
  let test: TestApp;
  beforeEach(async () => {
    test = await createTestApp({ config: { appOrigin: site.origin } });
  });
  afterEach(() => test.close());

  const seed = (change: Partial<TracksTable>) => {
    const { database, storage, clock } = test.deps;
    return seedTrack({ db: database.db, storage, now: clock.now() }, change);
  };
  const ask = (headers = {}) => test.app.inject({ url: '/releases.ics', headers });

  it('has past releases for everyone, and of the next nothing but its week and hour', async () => {
    const now = test.clock.now();
    const past = await seed({ title: 'Out', week: 46, publish_at: now - HOUR });
    await seed({ title: 'For subscribers', is_subscriber_only: 1 });
    await seed({ title: 'Draft', publish_at: null });
    const next = await seed({ title: 'Secret', week: 47, publish_at: now + HOUR });
    await seed({ title: 'After it', week: 48, publish_at: now + 2 * HOUR });
    const before = await ask();
    expect(before.headers).toMatchObject({
      'content-type': 'text/calendar; charset=utf-8',
      'cache-control': 'public, max-age=300',
    });
    for (const secret of ['Secret', next.id, 'Draft', 'After', 'subscribers'])
      expect(before.body).not.toContain(secret);
    const [planned, out, ...others] = readEvents(before.body);
    expect(others).toEqual([]);
    expect(planned).toMatchObject({
      SUMMARY: 'Week 47: Weekender, new mix',
      URL: `${site.origin}/`,
    });
    expect(out).toMatchObject({
      SUMMARY: 'Week 46: Out',
      URL: `${site.origin}/track/${past.id}`,
    });
    const { etag } = before.headers;
    expect((await ask({ 'if-none-match': String(etag) })).statusCode).toBe(304);

    // It is the same event once it is out, with its title.
    test.clock.advance(HOUR);
    const after = await ask({ 'if-none-match': String(etag) });
    expect(after.statusCode).toBe(200);
    const found = readEvents(after.body).find(({ UID }) => UID === planned?.UID);
    expect(found).toMatchObject({
      SUMMARY: 'Week 47: Secret',
      URL: `${site.origin}/track/${next.id}`,
      DTSTART: planned?.DTSTART,
    });
  });

  itOnSqlite(
    'is empty but valid on a new site, and not there if the site doesn’t announce',
    async () => {
      expect(readEvents((await ask()).body)).toEqual([]);
      await changeSettings(test.deps.database.db, { isNextAnnounced: false }, test.clock.now());
      expect((await ask()).statusCode).toBe(404);
    },
  );
});
