import { expect, it } from 'vitest';
import { omitDescriptions, restoreDescriptions } from './dehydrated-queries.ts';

const track = { id: 'a', title: 'Golden Hour', description: 'Log drums.', fileUrl: '/a' };
const sentTrack = { id: 'a', title: 'Golden Hour', fileUrl: '/a' };
const restoredTrack = { ...sentTrack, description: '' };

it.each([
  ['a list', { items: [track], nextCursor: null }, { items: [sentTrack], nextCursor: null }],
  ['the chart', { items: [{ rank: 1, track }] }, { items: [{ rank: 1, track: sentTrack }] }],
  ['the pages of a list', { pages: [{ items: [track] }] }, { pages: [{ items: [sentTrack] }] }],
])('the tracks of %s come without their descriptions', (_name, answer, sent) => {
  expect(omitDescriptions(answer)).toEqual(sent);
  expect(JSON.stringify(restoreDescriptions(sent))).toContain('"description":""');
});

it('a track of a list has an empty description afterwards', () => {
  expect(restoreDescriptions({ items: [sentTrack] })).toEqual({ items: [restoredTrack] });
});

it.each([
  ['a track of its own', { ...track, chapters: [] }],
  ['lists of other things', { items: [{ peak: 1, description: 'Ten listens' }, null] }],
  ['no object', [null, 'peaks', 3]],
])('%s stays as it is', (_name, data) => {
  expect(omitDescriptions(data)).toEqual(data);
  expect(restoreDescriptions(data)).toEqual(data);
});
