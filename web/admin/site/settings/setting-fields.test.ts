import { expect, it } from 'vitest';
import { mailWordsFields } from '#contract/admin/mails.ts';
import { SettingValues } from '#contract/admin/settings.ts';
import { lookFields } from '#contract/look.ts';
import { parseValue, settingGroups } from './setting-fields.ts';

it('has a field for every setting that has no page of its own', () => {
  const names: string[] = settingGroups.flatMap(({ fields }) => fields.map(({ name }) => name));
  const elsewhere = Object.keys({ ...lookFields, ...mailWordsFields });
  const others = elsewhere.filter((name) => !names.includes(name));
  expect([...names, ...others].toSorted()).toEqual(Object.keys(SettingValues.shape).toSorted());
});

it('converts prices between rand and cents', () => {
  const field = { name: 'monthlyPrice', label: '', hint: '', kind: 'rand' } as const;
  expect(parseValue(field, '79.90')).toBe(79_90);
  expect(parseValue(field, '')).toBeNaN();
  expect(SettingValues.shape.monthlyPrice.safeParse(parseValue(field, '')).success).toBe(false);
});
