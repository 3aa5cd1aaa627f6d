import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  addToast,
  dismissToast,
  dropUndo,
  pauseToast,
  resumeToast,
  runToastAction,
  TOAST_DISPLAY_MS,
  TOAST_REMOVE_DELAY_MS,
  TOAST_RETURN_MS,
} from './toast-queue.ts';
import { toastStore } from './toasts.ts';

const shown = () => toastStore.get();
const titleShown = () => (shown()?.open ? shown()?.title : null);

function dismiss(): void {
  const toast = shown();
  if (toast) dismissToast(toast.id);
}

function dismissAll(): void {
  while (shown()?.open) dismiss();
  vi.advanceTimersByTime(TOAST_REMOVE_DELAY_MS);
}

async function choose(): Promise<void> {
  const toast = shown();
  if (toast) runToastAction(toast);
  await vi.advanceTimersByTimeAsync(0);
}

const UPDATE = { title: 'Update available', isPersistent: true };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  dismissAll();
  vi.useRealTimers();
});

describe('toasts', () => {
  it('shows one at a time: a newer one replaces it', () => {
    addToast({ title: 'First' });
    addToast({ title: 'Second', variant: 'destructive' });
    expect(shown()).toMatchObject({ title: 'Second', variant: 'destructive', open: true });
    dismiss();
    expect(titleShown()).toBeNull();
  });

  it('closes a dismissed toast immediately and removes it after 1,000,000 ms', () => {
    addToast({ title: 'Saved' });
    dismiss();
    expect(shown()).toMatchObject({ title: 'Saved', open: false });
    vi.advanceTimersByTime(999_999);
    expect(shown()).not.toBeNull();
    vi.advanceTimersByTime(1);
    expect(shown()).toBeNull();
  });

  it('keeps a newer toast when an older one is dismissed', () => {
    addToast({ title: 'Old' });
    const old = shown()!.id;
    dismissToast(old);
    addToast({ title: 'New' });
    dismissToast(old);
    vi.advanceTimersByTime(TOAST_REMOVE_DELAY_MS);
    expect(shown()).toMatchObject({ title: 'New', open: true });
  });

  it('stay for 5000 ms, and a lasting one until it is closed', () => {
    addToast({ title: 'Saved' });
    expect(shown()?.displayMs).toBe(5000);
    dismiss();
    addToast(UPDATE);
    expect(shown()?.displayMs).toBe(Infinity);
  });
});

describe('an undo', () => {
  const undone: string[] = [];
  beforeEach(() => void (undone.length = 0));

  const remove = (name: string, plural = 'mixes removed') =>
    addToast({
      title: `${name} removed`,
      undo: { run: () => undone.push(name), plural, key: name },
    });

  it('is offered with its toast', async () => {
    remove('A');
    expect(shown()).toMatchObject({ title: 'A removed', action: { label: 'Undo' } });
    await choose();
    expect(undone).toEqual(['A']);
    expect(titleShown()).toBeNull();
  });

  it('joins the one before it, and both are undone, the last one first', async () => {
    remove('A');
    remove('B');
    expect(shown()).toMatchObject({ title: '2 mixes removed', action: { label: 'Undo both' } });
    remove('C');
    expect(shown()).toMatchObject({ title: '3 mixes removed', action: { label: 'Undo all 3' } });
    await choose();
    expect(undone).toEqual(['C', 'B', 'A']);
  });

  it('joins one of another kind as changes', () => {
    remove('A');
    remove('Deep cuts', 'playlists deleted');
    expect(shown()).toMatchObject({
      title: '2 changes',
      description: 'A removed · Deep cuts removed',
      action: { label: 'Undo both' },
    });
  });

  it('waits for the one before it to finish, and for a failed one too', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    const { promise, reject } = Promise.withResolvers<void>();
    remove('A');
    addToast({ title: 'B removed', undo: { run: () => promise } });
    await choose();
    expect(undone).toEqual([]);
    reject(new Error('No connection'));
    await vi.advanceTimersByTimeAsync(0);
    expect(undone).toEqual(['A']);
  });

  it('comes back after a message with the time it had left', async () => {
    remove('A');
    vi.advanceTimersByTime(1500);
    addToast({ title: 'Link copied' });
    expect(titleShown()).toBe('Link copied');
    vi.advanceTimersByTime(TOAST_DISPLAY_MS);
    dismiss();
    expect(shown()).toMatchObject({ title: 'A removed', displayMs: 3500, open: true });
    await choose();
    expect(undone).toEqual(['A']);
  });

  it('does not count the time it was paused, and stays long enough to be read', () => {
    remove('A');
    vi.advanceTimersByTime(1000);
    pauseToast();
    vi.advanceTimersByTime(60_000);
    resumeToast();
    vi.advanceTimersByTime(500);
    addToast({ title: 'Link copied' });
    dismiss();
    expect(shown()?.displayMs).toBe(3500);
    vi.advanceTimersByTime(3400);
    addToast({ title: 'Link copied' });
    dismiss();
    expect(shown()?.displayMs).toBe(TOAST_RETURN_MS);
  });

  it('joins one that waits behind a message', () => {
    remove('A');
    addToast({ title: 'Link copied' });
    remove('B');
    expect(shown()).toMatchObject({ title: '2 mixes removed', displayMs: TOAST_DISPLAY_MS });
  });

  it('is gone once it is closed', () => {
    remove('A');
    dismiss();
    remove('B');
    expect(shown()).toMatchObject({ title: 'B removed', action: { label: 'Undo' } });
  });

  it('is withdrawn when the user takes it back in another way', () => {
    remove('A');
    remove('B');
    dropUndo('B');
    expect(shown()).toMatchObject({ title: 'A removed', action: { label: 'Undo' } });
    addToast({ title: 'Added to favorites' });
    dropUndo('A');
    expect(titleShown()).toBe('Added to favorites');
    dismiss();
    expect(titleShown()).toBeNull();
  });
});

describe('a lasting toast', () => {
  it('comes back after a short one', () => {
    addToast(UPDATE);
    addToast({ title: 'Saved' });
    expect(titleShown()).toBe('Saved');
    dismiss();
    expect(shown()).toMatchObject({ title: 'Update available', displayMs: Infinity });
    dismiss();
    expect(titleShown()).toBeNull();
  });

  it('waits for a short one to go', () => {
    addToast({ title: 'A removed', undo: { run: () => undefined } });
    addToast(UPDATE);
    expect(titleShown()).toBe('A removed');
    dismiss();
    expect(titleShown()).toBe('Update available');
  });

  it('replaces the same one', () => {
    addToast(UPDATE);
    addToast(UPDATE);
    addToast({ title: 'Saved' });
    addToast(UPDATE);
    dismiss();
    expect(titleShown()).toBe('Update available');
    dismiss();
    expect(titleShown()).toBeNull();
  });
});

type Step = { kind: 'plain' | 'undoable' | 'lasting' | 'close' | 'choose'; ms: number };

describe('a toast that can wait', () => {
  const announcement = { title: 'New achievement', canWait: true };

  it('lets a short one finish', () => {
    addToast({ title: 'Added to favorites' });
    addToast(announcement);
    expect(titleShown()).toBe('Added to favorites');
    dismiss();
    expect(shown()).toMatchObject({ ...announcement, displayMs: TOAST_DISPLAY_MS });
    dismiss();
    expect(titleShown()).toBeNull();
  });

  it('comes back after a short one, with the time it had left', () => {
    addToast(announcement);
    vi.advanceTimersByTime(1000);
    addToast({ title: 'Added to favorites' });
    expect(titleShown()).toBe('Added to favorites');
    dismiss();
    expect(shown()).toMatchObject({ ...announcement, displayMs: TOAST_DISPLAY_MS - 1000 });
  });
});

it('whatever comes, no undo and no lasting toast is lost to another toast', async () => {
  const steps = fc.array(
    fc.record<Step>({
      kind: fc.constantFrom('plain', 'undoable', 'lasting', 'close', 'choose'),
      ms: fc.integer({ min: 0, max: 6000 }),
    }),
    { maxLength: 30 },
  );
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      dismissAll();
      const undone: number[] = [];
      let offered: number[] = [];
      let lasting = false;
      let count = 0;
      for (const { kind, ms } of all) {
        const hasUndo = shown()?.open && shown()?.action !== undefined;
        if (kind === 'plain') addToast({ title: 'Saved' });
        if (kind === 'lasting') addToast(UPDATE);
        if (kind === 'undoable') {
          const number = ++count;
          offered.push(number);
          addToast({ title: `Removed ${number}`, undo: { run: () => undone.push(number) } });
        }
        if (kind === 'lasting') lasting = true;
        else if (kind === 'close' || kind === 'choose') {
          if (titleShown() === UPDATE.title) lasting = false;
          undone.length = 0;
          await (kind === 'close' ? dismiss() : choose());
          if (hasUndo) {
            expect(undone).toEqual(kind === 'choose' ? offered.toReversed() : []);
            offered = [];
          }
        }
        vi.advanceTimersByTime(ms);
        // Something always shows as long as something waits.
        if (offered.length > 0 || lasting) expect(titleShown()).not.toBeNull();
      }
      // A message closes by itself; behind it is the undo, behind that the lasting toast.
      if (titleShown() === 'Saved') dismiss();
      undone.length = 0;
      if (offered.length > 0) {
        await choose();
        expect(undone).toEqual(offered.toReversed());
      }
      expect(titleShown()).toBe(lasting ? UPDATE.title : null);
    }),
  );
});
