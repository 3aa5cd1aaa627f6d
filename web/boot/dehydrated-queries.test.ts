import { expect, it } from 'vitest';
import { packAnswer, unpackAnswer } from './dehydrated-queries.ts';

const peaks = Array.from({ length: 101 }, (_, i) => Number((i / 100).toFixed(2)));

it('peaks come with a page as text, and are the same afterwards', () => {
  const packed = packAnswer({ peaks });
  expect(JSON.stringify(packed)).toHaveLength('{"peaks":""}'.length + peaks.length);
  expect(JSON.stringify(packed)).not.toContain('<');
  expect(unpackAnswer(packed)).toEqual({ peaks });
});

const track = { id: 'a', title: 'Golden Hour', description: 'Log drums.', fileUrl: '/a' };
const packedTrack = { id: 'a', title: 'Golden Hour', fileUrl: '/a' };
const unpackedTrack = { ...packedTrack, description: '' };

it.each([
  ['a list', { items: [track], nextCursor: null }, { items: [packedTrack], nextCursor: null }],
  ['the chart', { items: [{ rank: 1, track }] }, { items: [{ rank: 1, track: packedTrack }] }],
  ['the pages of a list', { pages: [{ items: [track] }] }, { pages: [{ items: [packedTrack] }] }],
])('the tracks of %s come without their descriptions', (_name, answer, packed) => {
  expect(packAnswer(answer)).toEqual(packed);
  expect(JSON.stringify(unpackAnswer(packed))).toContain('"description":""');
});

it('a track of a list has an empty description afterwards', () => {
  expect(unpackAnswer({ items: [packedTrack] })).toEqual({ items: [unpackedTrack] });
});

it.each([
  ['a track of its own', { ...track, chapters: [] }],
  ['lists of other things', { items: [{ peak: 1, description: 'Ten listens' }, null] }],
  ['no object', [null, 'peaks', 3]],
])('%s stays as it is', (_name, data) => {
  expect(packAnswer(data)).toEqual(data);
  expect(unpackAnswer(data)).toEqual(data);
});
