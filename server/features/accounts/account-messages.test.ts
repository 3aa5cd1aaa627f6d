import { expect, it } from 'vitest';
import { DEFAULT_LOOK } from '#contract/look.ts';
import { AccountEvent, buildAccountMessage } from './account-messages.ts';

it.each(AccountEvent.options)('the e-mail about %s names the site', (event) => {
  const site = {
    look: DEFAULT_LOOK,
    siteName: 'Deep House',
    origin: 'https://music.example',
    greeting: 'Hello,',
  };
  const { subject } = buildAccountMessage(site, { to: 'a@example.com', username: 'a', event });
  expect(subject).toContain('Deep House');
});
