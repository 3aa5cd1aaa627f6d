import { expect, it } from 'vitest';
import { describeAction, describeActor, describeChange } from './describe-action.ts';

const user = (name: string | null) => ({ kind: 'user', id: 'a', name });

it('says what was done to whom, even if the account is deleted', () => {
  expect(describeAction({ action: 'user.disabled', subject: user('thandi') })).toBe(
    'thandi was disabled',
  );
  expect(describeAction({ action: 'admin.added', subject: user(null) })).toBe(
    'A deleted account was made an administrator',
  );
  const site = { kind: 'site', id: null, name: null };
  expect(describeAction({ action: 'settings.changed', subject: site })).toBe('Settings changed');
  expect(describeAction({ action: 'track.sung', subject: site })).toBe('track.sung');
  const mix = { kind: 'track', id: 'b', name: 'Night Bus' };
  expect(describeAction({ action: 'track.published', subject: mix })).toBe(
    'Night Bus was published',
  );
});

it('says who did it', () => {
  expect(describeActor({ actor: { id: 'a', name: 'naledi' }, via: 'web' })).toBe('naledi');
  const unknown = { id: null, name: null };
  expect(describeActor({ actor: unknown, via: 'console' })).toBe('the server console');
});

it.each([
  ['release', '2026-11-27T16:00:00.000Z', 'Release', '27 Nov 2026, 16:00'],
  ['tracklist', '[]', 'Tracklist', '0 tracks'],
  ['tracklist', '[{"at":0,"title":"Opening"},{"at":60,"title":"Next"}]', 'Tracklist', '2 tracks'],
  ['subscribersOnly', 'true', 'Subscribers only', 'yes'],
  ['monthlyPrice', '7900', 'Monthly price', 'R79'],
  ['bpm', '124', 'BPM', '124'],
])('shows a changed %s for people, not as stored: %s', (field, stored, label, shown) => {
  expect(describeChange({ field, before: null, after: stored })).toEqual({
    label,
    before: null,
    after: shown,
  });
});
