import { expect, it } from 'vitest';
import { SettingValues } from '#contract/admin/settings.ts';
import { parseValue, settingGroups } from './setting-fields.ts';

it('has a field for every setting', () => {
  const names = settingGroups.flatMap(({ fields }) => fields.map(({ name }) => name));
  expect(names.toSorted()).toEqual(Object.keys(SettingValues.shape).toSorted());
});

it('converts prices between rand and cents', () => {
  const field = { name: 'monthlyPrice', label: '', hint: '', kind: 'rand' } as const;
  expect(parseValue(field, '79.90')).toBe(79_90);
  expect(parseValue(field, '')).toBeNaN();
  expect(SettingValues.shape.monthlyPrice.safeParse(parseValue(field, '')).success).toBe(false);
});
