import { describe, expect, it } from 'vitest';
import { ProfileBody, RegisterBody } from '#contract/accounts.ts';
import { fieldErrors } from './parse-form.ts';

const errorsOf = (schema: typeof RegisterBody | typeof ProfileBody, value: unknown) => {
  const result = schema.safeParse(value);
  return result.success ? {} : fieldErrors(result.error.issues);
};

describe('field errors', () => {
  it('have one message per field', () => {
    expect(errorsOf(RegisterBody, { username: 'a!', email: 'nobody', password: 'short' })).toEqual({
      username: 'Use at least 3 characters.',
      email: 'Enter an e-mail address like name@example.com.',
      password: 'Use at least 8 characters.',
    });
  });
  it('put errors of the whole form under form', () => {
    expect(errorsOf(ProfileBody, {})).toEqual({ form: 'Change at least one field.' });
  });
});
