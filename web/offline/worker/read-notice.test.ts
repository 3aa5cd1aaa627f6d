import { describe, expect, it } from 'vitest';
import { readNotice, toPage } from './read-notice.ts';

const ORIGIN = 'https://music.example';

describe('a push message', () => {
  it('is shown as it says', () => {
    const notice = {
      title: 'Week 46: Golden',
      body: 'Out now',
      path: '/track/a',
      tag: 'release-a',
    };
    expect(readNotice({ json: () => notice })).toEqual(notice);
  });

  it('is shown even if it can’t be read', () => {
    const broken = { json: () => JSON.parse('{') as unknown };
    for (const data of [null, broken, { json: () => null }, { json: () => 'text' }])
      expect(readNotice(data)).toMatchObject({ title: 'A new mix is out', path: '/' });
  });

  it('opens only pages of this site', () => {
    expect(toPage('/track/a?from=notice', ORIGIN)).toBe(`${ORIGIN}/track/a?from=notice`);
    for (const path of ['https://evil.example/', '//evil.example', 'javascript:alert(1)', 7, null])
      expect(toPage(path, ORIGIN)).toBe(`${ORIGIN}/`);
  });
});
