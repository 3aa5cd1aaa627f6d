/** @module-tag both-databases */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ErrorBody } from '#contract/errors.ts';
import type { SiteSettings } from '#contract/admin/settings.ts';
import { createAdmin } from '../../testing/test-admin.ts';
import { createTestApp, type TestApp } from '../../testing/test-app.ts';
import type { TestUser } from '../../testing/test-user.ts';
import { readLook } from './service.ts';

let test: TestApp;
let admin: TestUser;
let version: number;
beforeEach(async () => {
  test = await createTestApp();
  admin = await createAdmin(test);
  version = 0;
});
afterEach(() => test.close());

const save = async (values: object) => {
  const answer = await admin.client.request({
    method: 'PATCH',
    url: '/api/admin/settings',
    payload: { version, values },
  });
  if (answer.statusCode === 200) version += 1;
  return answer;
};

describe('the look of a site', () => {
  it('is everyone’s until someone sets it', async () => {
    expect(readLook(test.deps)).toMatchObject({
      isOwn: false,
      siteName: 'Weekender',
      senderName: 'Weekender',
      about: null,
      sleeves: { family: 'all', hemisphere: 'south' },
    });
    await save({ sentence: 'Amapiano from Soweto, every Friday.', hemisphere: 'north' });
    expect(readLook(test.deps)).toMatchObject({
      isOwn: true,
      sentence: 'Amapiano from Soweto, every Friday.',
      about: 'members',
      sleeves: { hemisphere: 'north' },
    });
    await save({ isAboutPublic: true, siteName: 'Deep Sunday' });
    expect(readLook(test.deps)).toMatchObject({ about: 'everyone', senderName: 'Deep Sunday' });
  });

  it.each([
    ['headline', 'x'.repeat(300), 'Use at most 60 characters.'],
    ['lead', 'x'.repeat(241), 'Use at most 240 characters.'],
    ['sentence', 'two\nlines', 'Use one line of text.'],
    ['senderName', 'Me\r\nBcc: you@example.com', 'Use one line of text.'],
    ['hemisphere', 'east', 'Choose a hemisphere.'],
    ['sleeveFamily', 'cats', 'Choose a family.'],
    ['logo', '../../database.sqlite', 'Choose the picture again.'],
    ['aboutText', 'x'.repeat(10_001), 'Use at most 10,000 characters.'],
    [
      'links',
      Array.from({ length: 9 }, (_, n) => ({ label: 'a', url: `https://${n}.example` })),
      'Use at most 8 links.',
    ],
  ])('refuses a wrong %s with a sentence and keeps what was', async (name, value, message) => {
    const answer = await save({ siteName: 'Deep Sunday', [name]: value });
    expect(answer.statusCode).toBe(400);
    expect(answer.json<ErrorBody>().fields).toEqual({ [`values.${name}`]: message });
    expect(readLook(test.deps)).toMatchObject({ isOwn: false, siteName: 'Weekender' });
  });

  it.each([
    ['soundcloud.com/me', 'https://soundcloud.com/me'],
    ['HTTPS://Example.com', 'HTTPS://Example.com'],
    ['https://example.com/a?b=c#d', 'https://example.com/a?b=c#d'],
  ])('links to %s', async (typed, url) => {
    const answer = await save({ links: [{ label: 'Mixes', url: typed }] });
    expect(answer.json<SiteSettings>().values.links).toEqual([{ label: 'Mixes', url }]);
  });

  it.each([
    'javascript:alert(1)',
    'http://example.com',
    'data:text/html,x',
    'https://',
    'https://localhost',
    'https://me:secret@example.com',
    'https://example.com\\@evil.example',
    'https://exa mple.com',
    '',
  ])('links to no %j', async (url) => {
    const answer = await save({ links: [{ label: 'Mixes', url }] });
    expect(answer.json<ErrorBody>().fields).toEqual({
      'values.links.0.url': 'Enter an address that starts with https://.',
    });
  });

  it('is in the page from its first byte', async () => {
    const read = async () =>
      (await test.app.inject({ url: '/', headers: { accept: 'text/html' } })).body;
    expect(await read()).toContain('<html lang="en">');
    await save({ hemisphere: 'north', sleeveFamily: 'records' });
    const page = await read();
    expect(page).toContain('<html lang="en" data-hemisphere="north">');
    expect(page).toContain('"sleeves":{"family":"records","hemisphere":"north"}');
  });
});
