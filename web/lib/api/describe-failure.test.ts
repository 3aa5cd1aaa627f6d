import { describe, expect, it } from 'vitest';
import { ApiError, ApiTimeout, describeFailure, describeRefusal } from './api.ts';

const login = (error: unknown) =>
  describeRefusal(error, 'Failed to login', 'Invalid username or password');

describe('the message for a failed login', () => {
  it("is the server's own message if there is one", () => {
    expect(login(new ApiError(429, '{"message":"Try again in 5 minutes."}'))).toBe(
      'Try again in 5 minutes.',
    );
  });
  it.each([400, 401, 403])('is the default message if a refusal with %i has none', (status) => {
    expect(login(new ApiError(status, ''))).toBe('Invalid username or password');
  });
  it.each([
    [500, '{"code":"internal","message":"Something went wrong."}'],
    [502, '<html>Bad gateway</html>'],
    [503, ''],
  ])('says that the login failed after a server error with %i', (status, body) => {
    expect(login(new ApiError(status, body))).toBe('Failed to login');
  });
  it('names the time-out', () => {
    expect(login(new ApiTimeout())).toBe('API request timed out');
  });
  it('is a generic message without a response', () => {
    expect(login(new TypeError('Failed to fetch'))).toBe('Failed to login');
  });
});

it('elsewhere a server error shows the message of the server', () => {
  const outage = new ApiError(503, '{"message":"The payment provider isn’t responding."}');
  expect(describeFailure(outage, 'Couldn’t pay.')).toBe('The payment provider isn’t responding.');
});
