import { z } from 'zod';

/** One line of text, or nothing. */
export const line = (max: number) =>
  z
    .string()
    .trim()
    .max(max, `Use at most ${max} characters.`)
    .regex(/^\P{Cc}*$/u, 'Use one line of text.');

/** Several lines of text, or nothing. */
export const Lines = z
  .string()
  .trim()
  .overwrite((text) => text.replaceAll('\r\n', '\n'))
  .max(400, 'Use at most 400 characters.')
  .regex(/^\P{Cc}*(?:\n\P{Cc}*){0,9}$/u, 'Use up to ten lines of text.');

/** South African, or nothing. */
export const VatNumber = z
  .string()
  .overwrite((text) => text.replaceAll(/\s/g, ''))
  .regex(/^(?:4\d{9})?$/, 'Enter the 10 digits of the VAT number, the first one a 4.');
