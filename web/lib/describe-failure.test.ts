import { describe, expect, it } from 'vitest';
import { ApiError, ApiTimeout, describeFailure } from './api.ts';

const login = (error: unknown) =>
  describeFailure(error, 'Failed to login', 'Invalid username or password');

describe('what a person reads when logging in failed', () => {
  it("is the server's message when it gave one", () => {
    expect(login(new ApiError(429, '{"message":"Try again in 5 minutes."}'))).toBe(
      'Try again in 5 minutes.',
    );
  });
  it('is the usual sentence when the server gave none', () => {
    expect(login(new ApiError(401, ''))).toBe('Invalid username or password');
  });
  it('names the time-out', () => {
    expect(login(new ApiTimeout())).toBe('API request timed out');
  });
  it('is a plain failure when no answer came', () => {
    expect(login(new TypeError('Failed to fetch'))).toBe('Failed to login');
  });
});
