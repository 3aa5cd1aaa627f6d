import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildDateFormat } from './days.ts';
import {
  formatDate,
  formatDay,
  formatDayAndTime,
  formatMoney,
  formatNumber,
  formatPercent,
  formatFileSize,
} from './format.ts';

it.each([
  [7900, 'R79'],
  [79000, 'R790'],
  [7950, 'R79.50'],
  [0, 'R0'],
  [605700, 'R6,057'],
  [123456700, 'R1,234,567'],
])('writes %i cents of rand as %s', (cents, expected) => {
  expect(formatMoney(cents, 'ZAR')).toBe(expected);
});

it('also writes amounts with an invalid currency code', () => {
  expect(['USD', '', '€uro'].map((currency) => formatMoney(7950, currency))).toEqual([
    '$79.50',
    ' 79.50',
    '€uro 79.50',
  ]);
});

it('separates thousands with a comma and decimals with a point', () => {
  expect([formatNumber(1628), formatNumber(26.254, 2), formatNumber(26, 2)]).toEqual([
    '1,628',
    '26.25',
    '26',
  ]);
  expect([formatPercent(0.055), formatPercent(0.5), formatPercent(12.3456)]).toEqual([
    '5.5%',
    '50%',
    '1,234.6%',
  ]);
});

it('writes whole numbers and amounts of rand as Intl does', () => {
  const money = (options: Intl.NumberFormatOptions) =>
    new Intl.NumberFormat('en-GB', {
      style: 'currency',
      currency: 'ZAR',
      currencyDisplay: 'narrowSymbol',
      ...options,
    });
  const [short, long] = [money({ trailingZeroDisplay: 'stripIfInteger' }), money({})];
  fc.assert(
    fc.property(fc.integer(), (value) => {
      expect(formatNumber(value)).toBe(new Intl.NumberFormat('en-GB').format(value));
      expect(formatMoney(value, 'ZAR')).toBe(short.format(value / 100).replace(/\s/, ''));
      expect(formatMoney(value, 'ZAR', 'auto')).toBe(long.format(value / 100).replace(/\s/, ''));
    }),
  );
});

describe('dates', () => {
  const at = Date.UTC(2026, 8, 5, 22, 30);
  const formatShortDay = buildDateFormat({ day: 'numeric', month: 'short' });

  it('are written without a leading zero, in the given time zone', () => {
    expect(formatDay(at, 'UTC')).toBe('5 September');
    expect(formatDate(at, 'Africa/Johannesburg')).toBe('6 September 2026');
    expect(formatDayAndTime(at, 'Africa/Johannesburg')).toBe('Sun 6 Sep, 00:30');
  });

  it('shorten every month to three letters', () => {
    const days = Array.from({ length: 12 }, (_, month) => Date.UTC(2026, month, 19));
    expect(days.map((day) => formatShortDay(day, 'UTC'))).toEqual([
      '19 Jan',
      '19 Feb',
      '19 Mar',
      '19 Apr',
      '19 May',
      '19 Jun',
      '19 Jul',
      '19 Aug',
      '19 Sep',
      '19 Oct',
      '19 Nov',
      '19 Dec',
    ]);
  });

  it('show a calendar day as it is, whatever the time zone', () => {
    expect(formatDate('2026-11-06', 'Pacific/Kiritimati')).toBe('6 November 2026');
    expect(formatDate('2026-11-06', 'Pacific/Pago_Pago')).toBe('6 November 2026');
  });
});

it.each([
  [0, '0 KB'],
  [-5, '0 KB'],
  [640_000, '640 KB'],
  [999_499, '999 KB'],
  [999_500, '1 MB'],
  [2_340_000, '2.3 MB'],
  [84_300_000, '84 MB'],
  [999_900_000, '1 GB'],
  [1_240_000_000, '1.2 GB'],
  [40_000_000_000, '40 GB'],
  [4_000_000_000_000, '4000 GB'],
])('%d bytes are formatted as %s', (bytes, text) => {
  expect(formatFileSize(bytes)).toBe(text);
});
