import { expect, it } from 'vitest';
import { SettingValues } from '#contract/settings.ts';
import { readValue, settingGroups } from './setting-fields.ts';

it('every setting has its field', () => {
  const names = settingGroups.flatMap(({ fields }) => fields.map(({ name }) => name));
  expect(names.toSorted()).toEqual(Object.keys(SettingValues.shape).toSorted());
});

it('prices are typed in rand and kept in cents', () => {
  const field = { name: 'monthlyPrice', label: '', hint: '', kind: 'rand' } as const;
  expect(readValue(field, '79.90')).toBe(79_90);
  expect(readValue(field, '')).toBeNaN();
  expect(SettingValues.shape.monthlyPrice.safeParse(readValue(field, '')).success).toBe(false);
});
