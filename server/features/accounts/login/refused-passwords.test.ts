import { expect, it } from 'vitest';
import { findPasswordProblem, loadCommonPasswords } from './refused-passwords.ts';

const own = {
  siteName: 'Night Bus',
  username: 'thandi.nkosi',
  email: 'tnkosi+music@harbour.example',
};

it('has at least 3,000 common passwords and words, each written as it is looked up', async () => {
  const common = await loadCommonPasswords();
  expect(common.size).toBeGreaterThanOrEqual(3000);
  for (const word of common) expect(word).toBe(word.toLowerCase().normalize('NFKC'));
});

it.each([
  'password',
  'PASSWORD',
  'Password1',
  'password2024',
  'Password2024!',
  'P@ssw0rd',
  'p455w0rd',
  '12345678',
  '123456789',
  'qwertyuiop',
  '1q2w3e4r',
  'poiuytre',
  '1qaz2wsx',
  'asdfghjkl;',
  'iloveyou',
  'iloveyou!!',
  'i love you',
  'football99',
  'sunshine#1',
  'letmein123',
  '007James',
  'kaizerchiefs1',
  'Lerato2019',
  'Johannesburg',
  'minecraft',
  'superman!',
  'ＰＡＳＳＷＯＲＤ',
  // The words of the site.
  'weekender',
  'Weekender1',
  'W33kender!',
  'premium2026',
  'Pr3m1um!!',
])('%s is too common', async (password) => {
  expect(await findPasswordProblem(password, own)).toMatch(/one of the most common passwords/);
});

it.each([
  'thandi2026',
  'Th4nd1!!',
  'nkosi-thandi',
  'thandi.nkosi',
  'tnkosi99',
  'Harbour#1',
  'nightbus1',
  'Night-Bus',
  'nightbuslove',
  'thandipassword',
])('%s is mostly the user’s or the site’s own words', async (password) => {
  expect(await findPasswordProblem(password, own)).toMatch(/your name, your address or ours/);
});

it.each([
  'xyxyxyxy',
  'abcabcabcabc',
  'zzzzzzzzzzzz',
  'passwordpassword',
  'ijklmnop',
  'ponmlkji',
  '24121987',
  '1987-12-24',
  '24.12.1987',
  '2-4-1999',
])('%s is easy to guess', async (password) => {
  expect(await findPasswordProblem(password, own)).not.toBeNull();
});

it.each([
  'correct horse battery',
  'password for the house',
  'my12345678friends',
  'x7!kq29z',
  'kwaito-in-the-kitchen',
  'password2024!!!!',
  'ünïcödé pass',
  'thandi plays at the harbour',
  'a-quiet-harbour',
  '48151623421987',
  'long enough 1',
])('%s is fine', async (password) => {
  expect(await findPasswordProblem(password, own)).toBeNull();
});
