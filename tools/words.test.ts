import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync, Visitor } from 'vite';
import { describe, expect, test } from 'vitest';
import { api } from '#contract/api.ts';

const root = join(import.meta.dirname, '..');
const listCode = (pattern: string): string[] =>
  globSync(pattern, { cwd: root })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !/\.test\.|\/testing\//.test(file));

const readSource = (file: string): string => readFileSync(join(root, file), 'utf8');

type Words = { names: string[]; texts: string[] };

/** The names that a file uses, and the texts it contains. */
function readWords(file: string): Words {
  const words: Words = { names: [], texts: [] };
  const addName = ({ name }: { name: string }) => void words.names.push(name);
  const addText = (text: unknown) => {
    if (typeof text === 'string') words.texts.push(text.replaceAll(/\s+/g, ' ').trim());
  };
  new Visitor({
    Identifier: addName,
    JSXIdentifier: addName,
    Literal: ({ value }) => addText(value),
    JSXText: ({ value }) => addText(value),
    TemplateElement: ({ value }) => addText(value.cooked),
  }).visit(parseSync(file, readSource(file)).program);
  return words;
}

const unique = (words: readonly string[]): string[] => [...new Set(words)].toSorted();

describe('in code', () => {
  const OTHER_NAMES =
    /(?:^|_)mix(?:es)?(?=$|_|[A-Z])|Mix(?:es)?(?=$|_|[A-Z])|(?:^|_)MIX(?:ES)?(?=$|_)|[Ss]ongs?(?=$|_|[A-Z])|[Tt]racklist_?(?:[Ee]ntr|[Ii]tem|[Rr]ow)/;
  // To the synthesizer of the demo, a mix is what its voices add up to.
  const files = listCode('{contract,server,web,demo}/**/*.{ts,tsx}').filter(
    (file) => !file.startsWith('demo/synth/'),
  );

  test('a release is a track, and an entry of its tracklist a chapter', () => {
    const names = files
      .filter((file) => /mix|song|tracklist/i.test(readSource(file)))
      .flatMap((file) => {
        const found = readWords(file).names;
        // The protocol of music apps calls a track a song.
        const isProtocol = file.startsWith('server/features/subsonic/');
        return isProtocol ? found.filter((name) => !/song/i.test(name)) : found;
      });
    // A setting, which operators read.
    expect(unique(names.filter((name) => OTHER_NAMES.test(name)))).toEqual(['DEMO_MIXES']);
  });

  test('no file and no address of the API is called otherwise', () => {
    const named = [...files, ...Object.keys(api)];
    expect(named.length).toBeGreaterThan(500);
    expect(named.filter((name) => /\b(?:mix(?:es)?|songs?)\b/.test(name))).toEqual([]);
  });
});

describe('to listeners', () => {
  const OPERATORS = /^web\/admin\//;
  const ADDRESS = /^(GET|POST|PUT|PATCH|DELETE) \//;
  const readTexts = (pattern: string): string[] => {
    const files = listCode(pattern).filter((file) => !OPERATORS.test(file));
    const found = files
      .filter((file) => /track|mix|song|chapter/i.test(readSource(file)))
      .flatMap((file) => readWords(file).texts)
      .filter((text) => /\s|^[A-Z]/.test(text) && !ADDRESS.test(text));
    return unique(found);
  };
  const aboutTracks = (text: string) => /\btracks?\b/i.test(text.replaceAll('Do Not Track', ''));
  const texts = readTexts('web/**/*.{ts,tsx}');
  const logged = [
    'A part of the saved track is missing.',
    'Could not start track:',
    'while a track was being saved.',
  ];

  test('a release is a mix, except where the specification says track', () => {
    const fixed = [
      'Add tracks to your queue from the favorites or library page',
      'Error playing track:',
      'Exclusive subscriber-only tracks',
      'Search for tracks, week numbers...',
      'Subscribe to listen to the full track',
      'Track',
      'Unlimited downloads of all tracks',
    ];
    expect(texts.filter(aboutTracks)).toEqual(unique([...fixed, ...logged]));
    expect(texts.filter((text) => /\bmix(es)?\b/i.test(text)).length).toBeGreaterThan(50);
  });

  test('a release is a mix in messages and e-mails too', () => {
    const sentences = readTexts('server/**/*.ts').filter((text) => /^[A-Z].*[.?!]$/.test(text));
    // The reason why a job ended.
    expect(sentences.filter(aboutTracks)).toEqual(['The track has a newer run or is gone.']);
    expect(sentences.filter((text) => /\bmix(es)?\b/i.test(text)).length).toBeGreaterThan(5);
  });

  test('inside a mix are chapters or a tracklist', () => {
    expect(texts.filter((text) => /\b(?:songs?|tunes?|cuts?)\b/i.test(text))).toEqual([]);
    expect(texts.filter((text) => /\b(?:chapters?|tracklists?)\b/i.test(text))).not.toEqual([]);
  });
});
