import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { dismissToast, showToast, TOAST_REMOVE_DELAY_MS, toastStore } from './toasts.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  toastStore.set(null);
  vi.useRealTimers();
});

const shown = () => toastStore.get();

describe('toasts', () => {
  it('shows one at a time: a newer one replaces it', () => {
    showToast({ title: 'First' });
    showToast({ title: 'Second', variant: 'destructive' });
    expect(shown()).toMatchObject({ title: 'Second', variant: 'destructive', open: true });
  });

  it('closes a dismissed toast immediately and removes it after the delay', () => {
    showToast({ title: 'Saved' });
    dismissToast(shown()!.id);
    expect(shown()).toMatchObject({ title: 'Saved', open: false });
    vi.advanceTimersByTime(TOAST_REMOVE_DELAY_MS - 1);
    expect(shown()).not.toBeNull();
    vi.advanceTimersByTime(1);
    expect(shown()).toBeNull();
  });

  it('keeps a newer toast when an older one is dismissed', () => {
    showToast({ title: 'Old' });
    const old = shown()!.id;
    dismissToast(old);
    showToast({ title: 'New' });
    dismissToast(old);
    vi.advanceTimersByTime(TOAST_REMOVE_DELAY_MS);
    expect(shown()).toMatchObject({ title: 'New', open: true });
  });

  it('waits 1,000,000 ms before removing', () => {
    expect(TOAST_REMOVE_DELAY_MS).toBe(1_000_000);
  });
});
