import { describe, expect, it } from 'vitest';
import type { AuditEntry } from '#contract/admin/audit.ts';
import { describeEntry } from './describe-entry.ts';
import { shortenPair } from './describe-value.ts';

const nobody = { id: null, name: null, weekNumber: null, isDeleted: false };
const mix = { ...nobody, kind: 'track', id: 'm1', name: 'Night Bus', weekNumber: 46 };
const user = { ...nobody, kind: 'user', id: 'u2', name: 'thandi' };
const site = { ...nobody, kind: 'site' };

const entry = (change: Partial<AuditEntry>): AuditEntry => ({
  id: 'e1',
  at: 0,
  actor: { id: 'u1', name: 'naledi' },
  via: 'web',
  action: 'track.edited',
  subject: mix,
  changes: [],
  reason: null,
  requestId: null,
  ...change,
});
const changed = (field: string, before: string | null, after: string | null) => [
  { field, before, after },
];
const tell = (change: Partial<AuditEntry>): string =>
  describeEntry(entry(change))
    .parts.map(({ text }) => text)
    .join('');

describe('an entry of the audit log', () => {
  it.each<[string, Partial<AuditEntry>]>([
    [
      'naledi changed the title of “Night Bus” (week 46) from “Bus” to “Night Bus”',
      { changes: changed('title', 'Bus', 'Night Bus') },
    ],
    [
      'naledi set the BPM of “Night Bus” (week 46) to 124',
      { changes: changed('bpm', null, '124') },
    ],
    [
      'naledi removed the genre of “Night Bus” (week 46), “Gqom”',
      { changes: changed('genre', 'Gqom', null) },
    ],
    [
      'naledi changed the start of the preview of “Night Bus” (week 46) from 0:00 to 1:05',
      { changes: changed('previewStart', '0', '65') },
    ],
    [
      'naledi published “Night Bus” (week 46)',
      { action: 'track.published', changes: changed('release', null, '2026-11-27T16:00:00.000Z') },
    ],
    [
      'naledi planned the letter “We play” to former Premium members for 27 Nov 2026, 16:00',
      {
        action: 'letter.planned',
        subject: { ...nobody, kind: 'letter', id: 'l1' },
        changes: [
          ...changed('subject', null, 'We play'),
          ...changed('audience', null, 'lapsed'),
          ...changed('sendAt', null, '2026-11-27T16:00:00.000Z'),
        ],
      },
    ],
    [
      'naledi scheduled “Night Bus” (week 46) for 27 Nov 2026, 16:00',
      { action: 'track.scheduled', changes: changed('release', null, '2026-11-27T16:00:00.000Z') },
    ],
    [
      'naledi moved “Night Bus” from week 45 to week 46',
      { action: 'track.moved', changes: changed('week', '45', '46') },
    ],
    [
      'naledi moved “Night Bus” from 2026 to 2027',
      { action: 'track.moved', changes: changed('year', '2026', '2027') },
    ],
    [
      'naledi changed the monthly price from R79 to R89.50',
      {
        action: 'settings.changed',
        subject: site,
        changes: changed('monthlyPrice', '7900', '8950'),
      },
    ],
    [
      'naledi changed the release day from Friday to Sunday',
      { action: 'settings.changed', subject: site, changes: changed('releaseDay', '4', '6') },
    ],
    [
      'naledi changed the early access from 48 hours to 1 hour',
      {
        action: 'settings.changed',
        subject: site,
        changes: changed('earlyAccessHours', '48', '1'),
      },
    ],
    [
      'naledi gave thandi access until 27 Nov 2026, 16:00',
      {
        action: 'access.granted',
        subject: user,
        changes: changed('until', null, '2026-11-27T16:00:00.000Z'),
      },
    ],
    [
      'naledi made thandi an administrator',
      { action: 'admin.added', subject: user, changes: changed('isAdmin', 'false', 'true') },
    ],
    [
      'naledi ended the subscription of thandi at the end of the paid period',
      {
        action: 'subscription.ended',
        subject: user,
        changes: changed('isImmediate', null, 'false'),
      },
    ],
    [
      'naledi created the code SUMMER',
      {
        action: 'coupon.created',
        subject: { ...nobody, kind: 'coupon', id: 'c1' },
        changes: changed('code', null, 'SUMMER'),
      },
    ],
    [
      'naledi created a gift of 3 months',
      {
        action: 'gift.created',
        subject: { ...nobody, kind: 'gift', id: 'g1' },
        changes: changed('months', null, '3'),
      },
    ],
    [
      'naledi paused “E-mails to many”',
      {
        action: 'jobs.paused',
        subject: { ...nobody, kind: 'job' },
        changes: [{ field: 'target', before: null, after: 'lane:bulk-mail' }],
      },
    ],
    [
      'naledi retried “Process audio” for “Night Bus”',
      {
        action: 'job.retried',
        subject: { ...nobody, kind: 'job', id: 'j1' },
        changes: [
          { field: 'name', before: null, after: 'ingest-track' },
          { field: 'about', before: null, after: 'Night Bus' },
        ],
      },
    ],
  ])('reads %s', (sentence, change) => {
    expect(tell(change)).toBe(sentence);
    expect(describeEntry(entry(change)).differences).toEqual([]);
  });

  it('names neither deleted accounts nor mixes that are gone', () => {
    const gone = { ...user, name: null };
    expect(tell({ action: 'user.disabled', subject: gone, actor: { id: 'u1', name: null } })).toBe(
      'A deleted account disabled the account of a deleted account',
    );
    expect(tell({ action: 'track.deleted', subject: { ...mix, name: null } })).toBe(
      'naledi deleted a mix',
    );
  });

  it('says what a command or the setup link did', () => {
    const actor = { id: null, name: null };
    expect(tell({ via: 'console', actor, action: 'admin.removed', subject: user })).toBe(
      'The server console removed thandi from the administrators',
    );
    expect(tell({ via: 'setup', actor, action: 'admin.created', subject: user })).toBe(
      'The setup link created the administrator thandi',
    );
  });

  it('describes an action it doesn’t know by its name, and never shows an id', () => {
    expect(tell({ action: 'track.sung' })).toBe('naledi did “track sung” to “Night Bus” (week 46)');
    expect(tell({ action: 'track.sung', subject: { ...site, id: 's1' } })).not.toContain('s1');
  });

  it('links the actor and the subject, but not a deleted mix', () => {
    const links = (change: Partial<AuditEntry>) =>
      describeEntry(entry(change)).parts.flatMap(({ href }) => href ?? []);
    expect(links({})).toEqual(['/admin/subscribers/u1', '/admin/tracks/edit/m1']);
    expect(links({ subject: { ...mix, isDeleted: true } })).toEqual(['/admin/subscribers/u1']);
    expect(
      links({
        action: 'settings.changed',
        subject: site,
        changes: changed('siteName', 'A', 'B'),
      }),
    ).toEqual(['/admin/subscribers/u1', '/admin/settings']);
  });

  it('lists several differences below the sentence, as people read them', () => {
    const changes = [
      ...changed('genre', 'Gqom', 'Amapiano'),
      ...changed('subscribersOnly', 'false', 'true'),
      ...changed('release', null, '2026-11-27T16:00:00.000Z'),
      ...changed('cover', 'covers/a.webp', 'covers/b.webp'),
      ...changed('tracklist', '0:00 One', '0:00 Two'),
    ];
    expect(tell({ changes })).toBe('naledi edited “Night Bus” (week 46)');
    const { differences } = describeEntry(entry({ changes }));
    expect(differences.map(({ label, before, after }) => [label, before, after])).toEqual([
      ['genre', '“Gqom”', '“Amapiano”'],
      ['subscribers-only setting', 'off', 'on'],
      ['release', null, '27 Nov 2026, 16:00'],
      ['cover', 'an uploaded picture', 'an uploaded picture'],
      ['tracklist', '0:00 One', '0:00 Two'],
    ]);
    expect(tell({ action: 'settings.changed', subject: site, changes: changes.slice(0, 2) })).toBe(
      'naledi changed 2 settings',
    );
  });

  it('still reads tracklists that an earlier version stored as JSON', () => {
    const stored =
      '[{"at":0,"title":"Opening with a long name","artist":null},{"at":60,"title":"Next","artist":"Someone"}]';
    expect(tell({ changes: changed('tracklist', '[]', stored) })).toBe(
      'naledi changed the tracklist of “Night Bus” (week 46) from 0 tracks to 2 tracks',
    );
    expect(tell({ changes: changed('tracklist', null, `${stored}…`) })).toContain(
      'to more than 2 tracks',
    );
  });

  it('does not mistake a title for a placeholder', () => {
    expect(tell({ changes: changed('title', '{subject}', '{x}') })).toContain(
      'from “{subject}” to “{x}”',
    );
  });
});

it('reduces long texts to what differs, and leaves short ones alone', () => {
  expect(shortenPair('short', 'other', 90)).toEqual(['short', 'other']);
  const text = 'A long summer mix with rain on the roof. '.repeat(6);
  const [before, after] = shortenPair(`${text}One. ${text}`, `${text}Two. ${text}`, 90);
  expect(before).toMatch(/^….*One\. .*…$/);
  expect(after).toBe(before.replace('One', 'Two'));
  const [none, all] = shortenPair('', text, 90);
  expect([none, all.length]).toEqual(['', 91]);
});
