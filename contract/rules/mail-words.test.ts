import { expect, it } from 'vitest';
import { fillWords, findWordsProblem, mailWords, type MailWordsName } from './mail-words.ts';

it.each(Object.keys(mailWords) as MailWordsName[])('the default of %s is valid', (name) => {
  expect(findWordsProblem(name, mailWords[name].byDefault)).toBeNull();
});

it('names the first fact that is not known, and those that are', () => {
  expect(findWordsProblem('greeting', 'Hi {Name} at {site}')).toBe(
    '{Name} means nothing here. You can use {name} and {site}.',
  );
  expect(findWordsProblem('greeting', 'Hi {name} :-} {')).toBeNull();
});

it('fills in facts once, so that braces in a title stay as they are', () => {
  const values = { title: '{site} $& {week}', site: 'Weekender' };
  expect(fillWords('{title} on {site} {x}', values)).toBe('{site} $& {week} on Weekender {x}');
});
