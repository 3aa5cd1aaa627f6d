import { describe, expect, it } from 'vitest';
import type { Recipients, StagedTrack } from '#contract/admin/week.ts';
import { boot } from '#web/lib/store/boot.ts';
import {
  describePublish,
  describePublished,
  describeSchedule,
  describeState,
  proposeRelease,
} from './release-words.ts';

// A Wednesday at noon, in the zone of the tests.
const now = Date.UTC(2026, 10, 18, 12);
const friday = Date.UTC(2026, 10, 20, 6);
const rhythm = { releaseDay: 4, releaseHour: 6, earlyAccessHours: 48 };
const recipients: Recipients = {
  mails: { all: 1204, subscribers: 310 },
  devices: { all: 318, subscribers: 90 },
  told: { mails: 0, devices: 0 },
  delivery: 'smtp',
};

it('the tests run in UTC', () => {
  expect(boot.timeZone).toBe('UTC');
});

it.each([
  [{}, {}, 'Publish now and e-mail 1,204 members'],
  [{}, { isSubscriberOnly: true }, 'Publish now and e-mail 310 members'],
  [{ mails: { all: 1, subscribers: 1 } }, {}, 'Publish now and e-mail 1 member'],
  [{ mails: { all: 0, subscribers: 0 } }, {}, 'Publish now'],
  [{ delivery: 'none' }, {}, 'Publish now'],
  [{ delivery: 'outbox' }, { isReady: false }, 'Publish when it’s ready and e-mail 1,204 members'],
] as const)('the button says what it does: %j %j', (change, mix, expected) => {
  const own = { isReady: true, isSubscriberOnly: false, ...mix };
  expect(describePublish({ ...recipients, ...change }, own)).toBe(expected);
});

it('says what happens after it was pressed', () => {
  expect(describePublished(1204)).toBe('1,204 members get an e-mail in the next minutes.');
  expect(describePublished(1)).toBe('1 member gets an e-mail in the next minutes.');
  expect(describePublished(0)).toBe('It’s on the site now.');
});

it.each([
  [47, friday, true, 'Schedule for Friday 06:00'],
  [48, Date.UTC(2026, 10, 27, 6), true, 'Schedule for Friday 27 November 06:00'],
  [46, Date.UTC(2026, 10, 19, 6), false, 'Schedule for Thursday 06:00'],
])(
  'week %d is proposed for its own release time, unless that has passed',
  (week, at, isOwn, text) => {
    const proposed = proposeRelease({ year: 2026, weekNumber: week }, rhythm, now);
    expect(proposed).toEqual({ at, isOfWeek: isOwn });
    expect(describeSchedule(at, now)).toBe(text);
  },
);

describe('the state of a mix', () => {
  const draft: Parameters<typeof describeState>[0] = {
    state: 'draft',
    progress: 100,
    failure: null,
    stage: 'draft',
    publishAt: null,
    isSubscriberOnly: false,
  };
  const processing = { state: 'processing', progress: 40 } as const;

  it.each<[Partial<StagedTrack>, string]>([
    [{}, 'Draft: only administrators can hear it.'],
    [processing, 'Processing, 40%. Draft: only administrators can hear it.'],
    [{ state: 'failed', failure: 'Not audio.' }, 'Not audio.'],
    [
      { state: 'scheduled', stage: 'scheduled', publishAt: friday + 7 * 24 * 3_600_000 },
      'Scheduled: out for Premium members on Wednesday 25 November 06:00, for everyone on Friday 27 November 06:00.',
    ],
    [
      { state: 'scheduled', stage: 'early', publishAt: friday },
      'Premium members hear it already, everyone else on Friday 06:00.',
    ],
    [
      { state: 'scheduled', stage: 'early', publishAt: friday, isSubscriberOnly: true },
      'Premium members hear it already.',
    ],
    [{ state: 'published', stage: 'out', publishAt: now }, 'Out since Wed 18 Nov, 12:00.'],
    [
      { ...processing, stage: 'out', publishAt: now },
      'Processing, 40%. It comes out when it’s ready.',
    ],
  ])('%j: %s', (change, expected) => {
    expect(describeState({ ...draft, ...change }, rhythm, now)).toBe(expected);
  });

  it('names one time where nobody hears it earlier', () => {
    const planned = { state: 'scheduled', stage: 'scheduled', publishAt: friday } as const;
    const atOnce = { earlyAccessHours: 0 };
    expect(describeState({ ...draft, ...planned }, atOnce, now)).toBe(
      'Scheduled: out on Friday 06:00.',
    );
  });
});
