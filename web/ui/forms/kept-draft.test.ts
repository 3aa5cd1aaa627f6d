import { expect, it } from 'vitest';
import { findChanges, listOffered, parseDraft } from './kept-draft.ts';

const before = { title: 'Pool Lights', week: '45', artists: [{ name: 'Ama' }], start: null };
const at = 1;

it('finds the fields that differ', () => {
  expect(findChanges({ ...before, artists: [{ name: 'Ama' }] }, before)).toEqual({});
  expect(findChanges({ ...before, title: 'Dawn' }, before)).toEqual({ title: 'Dawn' });
});

it('offers what was edited, also after someone else changed another field', () => {
  const draft = { at, before, form: { ...before, title: 'Dawn' } };
  expect(listOffered(draft, { ...before, week: '46' })).toEqual({ title: 'Dawn' });
});

it.each([
  ['was saved meanwhile', { title: 'Dawn' }, { title: 'Dawn' }],
  ['is no field any more', { mood: 'late' }, {}],
  ['has become something else', { title: 5 }, {}],
])('doesn’t offer what %s', (_name, edited, current) => {
  const draft = { at, before, form: { ...before, ...edited } };
  expect(listOffered(draft, { ...before, ...current })).toEqual({});
});

it.each([
  null,
  'x',
  '[]',
  '{}',
  '{"at":1,"form":[],"before":{}}',
  '{"at":"1","form":{},"before":{}}',
])('ignores a draft that isn’t one: %j', (stored) => {
  expect(parseDraft(stored)).toBeNull();
});

it('reads back what was kept', () => {
  const draft = { at, before, form: { ...before, title: 'Dawn' } };
  expect(parseDraft(JSON.stringify(draft))).toEqual(draft);
});
