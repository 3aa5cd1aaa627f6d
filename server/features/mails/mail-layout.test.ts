import { expect, it } from 'vitest';
import { MailMessage } from '../../ports/mail/mail.ts';
import { mailSite as site } from '../../testing/mail-site.ts';
import { layOutMail, type MailContent, type MailTrack } from './service.ts';

const hostile = '<img src=x onerror=alert(1)> " \' &amp; {name}';
const track: MailTrack = {
  title: hostile,
  week: 46,
  sleeveUrl: 'https://music.example/media/sleeves/46.png',
  meta: ['Week 46, 2026', hostile],
  words: hostile,
  chapters: [{ at: '0:00', title: hostile, artist: hostile }],
  more: 9,
};
const content: MailContent = {
  to: 'thandi@example.com',
  subject: 'Week 46',
  username: 'thandi',
  blocks: [
    'First.',
    { track },
    { facts: [[hostile, hostile]] },
    { quote: [hostile, 'Second line'] },
  ],
  button: { label: 'Play week 46', url: 'https://music.example/track/a' },
  after: [hostile],
  notes: [hostile],
};

const countTags = (html: string, tag: string) => html.split(`<${tag} `).length - 1;

it('escapes whatever people write, and the text part says it as it is', () => {
  const { html, text } = layOutMail({ ...site, siteName: hostile }, content);
  expect(html).not.toContain('<img src=x');
  expect(countTags(html, 'img')).toBe(1);
  expect(text).toContain(hostile);
});

it('fits into the message that our mail server gets, with any title as a subject', () => {
  const subject = `Week 46: ${'😀'.repeat(300)}\r\nBcc: everybody@example.com`;
  const message = MailMessage.parse(layOutMail(site, { ...content, subject }));
  expect(message.subject).toMatch(/^Week 46: 😀+$/u);
});

it('says the address of the button on a line of its own', () => {
  const lines = layOutMail(site, content).text.split('\n');
  expect(lines).toContain('Play week 46:');
  expect(lines).toContain('https://music.example/track/a');
});

it('links our own addresses, and none that a stranger wrote', () => {
  const after = ['Yours: https://music.example/gift/a. Theirs: https://evil.example/a'];
  const { html } = layOutMail(site, { ...content, blocks: [], after });
  expect(html).toContain('href="https://music.example/gift/a"');
  expect(html).not.toContain('href="https://evil');
  const lookalike = ['https://music.example.evil.example/a'];
  expect(layOutMail(site, { ...content, after: lookalike }).html).not.toContain(
    'href="https://music.example.evil',
  );
});

it('names the place to unsubscribe in both parts and for mail programs', () => {
  const unsubscribe = { label: 'Unsubscribe', url: 'https://music.example/api/unsubscribe/a' };
  const { html, text, unsubscribeUrl } = layOutMail(site, { ...content, unsubscribe });
  expect(html).toContain(`href="${unsubscribe.url}"`);
  expect(text.split('\n')).toContain(unsubscribe.url);
  expect(unsubscribeUrl).toBe(unsubscribe.url);
});

it('shows the numeral as text, so that it is there when pictures are blocked', () => {
  const { html } = layOutMail(site, content);
  expect(html).toMatch(/class="numeral"[^>]*>46</);
  expect(html).toMatch(/<img [^>]*alt="Sleeve of [^"]+" width="\d+" height="\d+"/);
});

it('reads in mail programs after the subject what the mail is about', () => {
  const body = layOutMail(site, content).html.split('<body')[1] ?? '';
  expect(body.indexOf('First.')).toBeLessThan(body.indexOf('Hello thandi'));
});
