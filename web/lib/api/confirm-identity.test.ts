import { afterEach, expect, it, vi } from 'vitest';
import { ApiError } from './api.ts';
import { confirmationStore, withConfirmation } from './confirm-identity.ts';

const refusal = (code: string) => new ApiError(403, JSON.stringify({ code, message: 'No.' }));

afterEach(() => confirmationStore.get()?.answer(false));

it('asks for the password and repeats the call', async () => {
  const call = vi
    .fn<() => Promise<number>>()
    .mockRejectedValueOnce(refusal('confirmation_required'))
    .mockResolvedValue(7);
  const result = withConfirmation(call);
  await vi.waitFor(() => expect(confirmationStore.get()).not.toBeNull());
  expect(call).toHaveBeenCalledTimes(1);
  confirmationStore.get()?.answer(true);
  expect(await result).toBe(7);
  expect(confirmationStore.get()).toBeNull();
});

it('fails as the server did if the user cancels', async () => {
  const call = vi.fn<() => Promise<number>>().mockRejectedValue(refusal('confirmation_required'));
  const result = withConfirmation(call);
  await vi.waitFor(() => expect(confirmationStore.get()).not.toBeNull());
  confirmationStore.get()?.answer(false);
  await expect(result).rejects.toMatchObject({ code: 'confirmation_required' });
  expect(call).toHaveBeenCalledTimes(1);
});

it('asks nothing for other refusals', async () => {
  await expect(withConfirmation(() => Promise.reject(refusal('forbidden')))).rejects.toMatchObject({
    code: 'forbidden',
  });
  expect(confirmationStore.get()).toBeNull();
});
