import { expect, it } from 'vitest';
import { greet } from './greeting.ts';

it.each(['thandi', 'Thandi.Nkosi', 'Ntshwanti', 'DJ Schwartz', 'Nomvula-42', 'Ямада', 'kabza1990'])(
  'greets %s by name',
  (username) => {
    expect(greet('Hello {name},', username, 'Weekender')).toBe(`Hello ${username},`);
  },
);

it.each(['barmwls8xwc', 'member-48213', 'user', 'qwrtplkz', '8f3a', '12345', 'x', null])(
  'greets %s without a name',
  (username) => {
    expect(greet('Hello {name},', username, 'Weekender')).toBe('Hello,');
  },
);

it('says the name wherever the operator put it, and any characters in it as they are', () => {
  expect(greet('{name}, good morning!', 'thandi', '')).toBe('thandi, good morning!');
  expect(greet('Hello {name},', '$& {site}', 'Weekender')).toBe('Hello $& {site},');
  expect(greet('Hello {name} of {site},', null, 'Weekender')).toBe('Hello of Weekender,');
});
