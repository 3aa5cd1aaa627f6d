import { expect, it } from 'vitest';
import { describeAct, describeActor } from './act-words.ts';

const user = (name: string | null) => ({ kind: 'user', id: 'a', name });

it('says what was done to whom, also when they have left', () => {
  expect(describeAct({ act: 'user.disabled', subject: user('thandi') })).toBe(
    'thandi was shut out',
  );
  expect(describeAct({ act: 'admin.made', subject: user(null) })).toBe(
    'Somebody who has left was made an administrator',
  );
  const site = { kind: 'site', id: null, name: null };
  expect(describeAct({ act: 'settings.changed', subject: site })).toBe('Settings were changed');
  expect(describeAct({ act: 'track.sung', subject: site })).toBe('track.sung');
  const mix = { kind: 'track', id: 'b', name: 'Night Bus' };
  expect(describeAct({ act: 'track.published', subject: mix })).toBe('Night Bus was published');
});

it('says by whom', () => {
  expect(describeActor({ actor: { id: 'a', name: 'naledi' }, via: 'web' })).toBe('naledi');
  const nobody = { id: null, name: null };
  expect(describeActor({ actor: nobody, via: 'console' })).toBe('the server’s console');
});
