import { describe, expect, it } from 'vitest';
import { shouldSaveData, isPhone, readMetering } from './connection.ts';

const ANDROID = 'Mozilla/5.0 (Linux; Android 14; Mobile) Chrome/140';
const FIREFOX_PHONE = 'Mozilla/5.0 (Android 14; Mobile; rv:140.0) Firefox/140.0';
const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Safari';
const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Safari';

it.each([
  ['mobile data', { type: 'cellular', effectiveType: '4g' }, true],
  ['a browser that asks for less data', { saveData: true, effectiveType: '4g' }, true],
  ['a slow one', { effectiveType: '2g' }, true],
  ['a very slow one', { type: 'wifi', effectiveType: 'slow-2g' }, true],
  ['Wi-Fi', { type: 'wifi', effectiveType: '4g' }, false],
  ['a computer', { effectiveType: '3g', saveData: false }, false],
  ['a browser that says nothing', undefined, false],
])('on %s data saver is %o: %s', (_, connection, expected) => {
  expect(shouldSaveData(connection)).toBe(expected);
});

describe('whether data costs by the megabyte', () => {
  it.each([
    [ANDROID, { type: 'cellular' }, 'metered'],
    [ANDROID, { type: 'bluetooth' }, 'metered'],
    [ANDROID, { type: 'wifi' }, 'unmetered'],
    [ANDROID, { type: 'wifi', saveData: true }, 'metered'],
    [ANDROID, { type: 'unknown' }, 'unknown'],
    [ANDROID, { type: 'none' }, 'unknown'],
    [FIREFOX_PHONE, undefined, 'unknown'],
    [IPHONE, undefined, 'unknown'],
    [MAC, undefined, 'unmetered'],
    [MAC, { saveData: true }, 'metered'],
  ])('%s with %o: %s', (userAgent, connection, expected) => {
    expect(readMetering({ userAgent, connection })).toBe(expected);
  });

  it('knows an iPad, which says that it is a Mac', () => {
    expect(isPhone({ userAgent: MAC, maxTouchPoints: 5 })).toBe(true);
    expect(isPhone({ userAgent: MAC, maxTouchPoints: 0 })).toBe(false);
  });
});
