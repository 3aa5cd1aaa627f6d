import { describe, expect, it } from 'vitest';
import { ApiError, ApiTimeout, describeFailure } from './api.ts';

const login = (error: unknown) =>
  describeFailure(error, 'Failed to login', 'Invalid username or password');

describe('the message for a failed login', () => {
  it("is the server's own message if there is one", () => {
    expect(login(new ApiError(429, '{"message":"Try again in 5 minutes."}'))).toBe(
      'Try again in 5 minutes.',
    );
  });
  it('is the default message if the server sent none', () => {
    expect(login(new ApiError(401, ''))).toBe('Invalid username or password');
  });
  it('names the time-out', () => {
    expect(login(new ApiTimeout())).toBe('API request timed out');
  });
  it('is a generic message without a response', () => {
    expect(login(new TypeError('Failed to fetch'))).toBe('Failed to login');
  });
});
