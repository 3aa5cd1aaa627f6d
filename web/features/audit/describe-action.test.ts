import { expect, it } from 'vitest';
import { describeAction, describeActor } from './describe-action.ts';

const user = (name: string | null) => ({ kind: 'user', id: 'a', name });

it('says what was done to whom, even if the account is deleted', () => {
  expect(describeAction({ action: 'user.disabled', subject: user('thandi') })).toBe(
    'thandi was disabled',
  );
  expect(describeAction({ action: 'admin.made', subject: user(null) })).toBe(
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
  const nobody = { id: null, name: null };
  expect(describeActor({ actor: nobody, via: 'console' })).toBe('the server’s console');
});
