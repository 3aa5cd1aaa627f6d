import { ZodError } from 'zod';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Mail, MailMessage } from '../ports/mail/mail.ts';

export type MailUnderTest = {
  mail: Mail;
  /** What arrived, in the order it was sent. */
  received: () => Promise<MailMessage[]>;
  close: () => Promise<void>;
};

const message: MailMessage = {
  to: 'thandi@example.com',
  subject: 'Set a new password – Ünïcode 🎧',
  text: 'Hello Thandi,\n\na line that is longer than what one line of a message may hold '.repeat(
    9,
  ),
  html: '<p>Hello <b>Thandi</b> &amp; friends – 🎧</p>',
};

const tidy = ({ to, subject, text, html }: MailMessage) => ({
  to,
  subject,
  text: text.trim(),
  html: html.trim(),
});

/** What every mail adapter must do; each adapter's test runs it. */
export function describeMail(name: string, create: () => Promise<MailUnderTest>) {
  describe(`${name} delivers messages`, () => {
    let subject: MailUnderTest;
    beforeEach(async () => {
      subject = await create();
    });
    afterEach(async () => {
      subject.mail.close();
      await subject.close();
    });

    it('with their recipient, subject and text unchanged', async () => {
      await subject.mail.send(message);
      await subject.mail.send({ ...message, subject: 'second' });
      const received = await subject.received();
      expect(received.map(tidy)).toEqual([message, { ...message, subject: 'second' }].map(tidy));
    });

    it('without their key', async () => {
      await subject.mail.send({ ...message, key: 'receipt:1' });
      expect((await subject.received()).map(tidy)).toEqual([tidy(message)]);
    });

    it.each<Partial<MailMessage>>([
      { subject: 'Hello\r\nBcc: everybody@example.com' },
      { subject: 'Hello\nX: y' },
      { subject: '' },
      { to: 'a@example.com\r\nBcc: b@example.com' },
      { to: 'a@example.com, b@example.com' },
      { to: 'Thandi <a@example.com>' },
      { to: 'nobody' },
      { text: '' },
    ])('and rejects values that could inject headers or recipients: %j', async (change) => {
      await expect(subject.mail.send({ ...message, ...change })).rejects.toThrow(ZodError);
      expect(await subject.received()).toEqual([]);
    });
  });
}
