import { expect, it } from 'vitest';
import { mailSite } from '../../testing/mail-site.ts';
import { AccountEvent, buildAccountMessage } from './account-messages.ts';

it.each(AccountEvent.options)('the e-mail about %s names the site', (event) => {
  const { subject } = buildAccountMessage(mailSite, { to: 'a@example.com', username: 'a', event });
  expect(subject).toContain('Deep & House');
});
