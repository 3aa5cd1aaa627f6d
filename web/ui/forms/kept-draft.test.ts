import { beforeEach, describe, expect, it, vi } from 'vitest';
import {
  addOffered,
  findChanges,
  findDraft,
  forgetDrafts,
  keepDraft,
  listOffered,
  parseDraft,
} from './kept-draft.ts';

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

it('keeps what is offered along with what is typed before the answer', () => {
  const offered = { at, before, form: { ...before, title: 'Dawn' } };
  const typed = { at: at + 1, before, form: { ...before, week: '46' } };
  expect(addOffered(typed, offered)).toEqual({
    at: at + 1,
    before,
    form: { ...before, title: 'Dawn', week: '46' },
  });
});

describe('on this device', () => {
  const draft = (age: number) => ({ at: Date.now() - age * 86_400_000, before, form: before });
  const listNames = () => Object.keys(localStorage).toSorted();
  beforeEach(() => {
    // Entries are properties, as in a browser.
    const entries: Record<string, string> = {};
    Object.defineProperties(entries, {
      getItem: { value: (name: string) => entries[name] ?? null },
      setItem: { value: (name: string, text: string) => (entries[name] = text) },
      removeItem: { value: (name: string) => Reflect.deleteProperty(entries, name) },
    });
    vi.stubGlobal('localStorage', entries);
    return () => vi.unstubAllGlobals();
  });

  it('forgets drafts after 30 days', () => {
    keepDraft('u1', 'old', draft(31));
    keepDraft('u2', 'old', draft(31));
    keepDraft('u1', 'new', draft(29));
    expect(findDraft('u1', 'old')).toBeNull();
    expect(findDraft('u1', 'new')).not.toBeNull();
    expect(listNames()).toEqual(['draft:u1:new']);
  });

  it('forgets every draft, and nothing else', () => {
    localStorage.setItem('color-theme', 'light');
    keepDraft('u1', 'new', draft(0));
    keepDraft('u2', 'new', draft(0));
    forgetDrafts(Infinity);
    expect(listNames()).toEqual(['color-theme']);
  });
});
