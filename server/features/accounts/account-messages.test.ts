import { expect, it } from 'vitest';
import { AccountEvent, buildAccountMessage } from './account-messages.ts';

it.each(AccountEvent.options)('the e-mail about %s names the site', (event) => {
  const site = { siteName: 'Deep House', origin: 'https://music.example' };
  const { subject } = buildAccountMessage({ to: 'a@example.com', username: 'a', event, ...site });
  expect(subject).toContain('Deep House');
});
