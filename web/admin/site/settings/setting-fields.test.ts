import { describe, expect, it } from 'vitest';
import { SettingValues } from '#contract/admin/settings.ts';
import { describeChange, parseValue, settingFields, type TypedSettings } from './setting-fields.ts';
import { listFields, settingPages, type SettingPage } from './setting-pages.ts';

it('has each setting on one page', () => {
  const names = (Object.keys(settingPages) as SettingPage[]).flatMap(listFields);
  expect(names.toSorted()).toEqual(Object.keys(SettingValues.shape).toSorted());
});

const typed = (part: Partial<TypedSettings>) =>
  ({
    ...Object.fromEntries(Object.keys(settingFields).map((name) => [name, ''])),
    ...part,
  }) as TypedSettings;

it('converts prices between rand and cents', () => {
  expect(parseValue('monthlyPrice', typed({ monthlyPrice: '79.90' }))).toBe(79_90);
  const empty = parseValue('monthlyPrice', typed({ monthlyPrice: '' }));
  expect(empty).toBeNaN();
  expect(SettingValues.shape.monthlyPrice.safeParse(empty).success).toBe(false);
});

it('takes a price of data or none, and nothing that is neither', () => {
  const check = (dataPrice: string) =>
    SettingValues.shape.dataPrice.safeParse(parseValue('dataPrice', typed({ dataPrice })));
  expect(check('85').data).toBe(85_00);
  expect(check(' 84.99 ').data).toBe(84_99);
  expect(check('').data).toBeNull();
  for (const text of ['0', '-5', '0.99', '2000.01', '10000', 'R85', '85,50', 'eighty'])
    expect(check(text).error?.issues[0]?.message, text).toBe(
      'Enter a price from R1 to R2,000, or leave it empty.',
    );
});

describe('what changed', () => {
  const logo = { name: 'a.svg', preview: '/a.svg' };
  it.each([
    ['releaseHour', '6', '7', 'Release hour: 6 → 7'],
    ['releaseDay', '4', '5', 'Release day: Friday → Saturday'],
    ['monthlyPrice', '79', '89.5', 'Monthly price: R79 → R89.50'],
    ['dataPrice', '', '85', 'A gigabyte of mobile data: empty → R85'],
    ['areRenewalsOn', 'true', 'false', 'Renewals are charged: Yes → No'],
    [
      'sentence',
      '',
      'Amapiano, every Friday.',
      'One sentence about the show: empty → Amapiano, every Friday.',
    ],
    ['sellerAddress', 'a\nb', 'c', 'Address changed'],
    ['logo', null, logo, 'Logo changed'],
    ['logo', logo, null, 'Logo removed'],
    ['links', [], [{ label: 'a', url: 'b' }], 'Links changed'],
  ] as const)('of %s is in words', (name, before, after, text) => {
    const [from, to] = [before, after].map((value) => typed({ [name]: value })) as [
      TypedSettings,
      TypedSettings,
    ];
    expect(describeChange(name, from, to)).toBe(text);
  });
});
