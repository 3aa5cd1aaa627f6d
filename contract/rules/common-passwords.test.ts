import { expect, it } from 'vitest';
import { isCommonPassword } from './common-passwords.ts';

it.each([
  'password',
  'PASSWORD',
  'Password1',
  'password2024',
  'Password2024!',
  '12345678',
  '123456789',
  'qwertyuiop',
  '1q2w3e4r',
  'iloveyou',
  'iloveyou!!',
  'P@ssw0rd',
  'football99',
  'sunshine#1',
  'letmein123',
])('%s is common', (password) => {
  expect(isCommonPassword(password)).toBe(true);
});

it.each([
  'correct horse battery',
  'weekender-demo',
  'password for the house',
  'my12345678friends',
  'kwaito-in-the-kitchen',
  'password2024!!!!',
  '',
])('%j is not', (password) => {
  expect(isCommonPassword(password)).toBe(false);
});
