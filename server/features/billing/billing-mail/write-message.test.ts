import { expect, it } from 'vitest';
import { listSampleMessages } from './sample-messages.ts';
import { writeMessage } from './write-message.ts';

const site = { siteName: 'Deep House', timeZone: 'Africa/Johannesburg' };

it.each(listSampleMessages(Date.UTC(2026, 10, 15)))(
  'the e-mail about $kind names the site',
  (message) => {
    expect(writeMessage(message, site).subject).toContain('Deep House');
  },
);
