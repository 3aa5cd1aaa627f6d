import { toastStore, type Toast, type ToastInput, type Undo } from './toasts.ts';

export const TOAST_REMOVE_DELAY_MS = 1_000_000;
export const TOAST_DISPLAY_MS = 5000;
/** An undo that comes back stays at least this long, or it couldn't be read. */
export const TOAST_RETURN_MS = 2000;

/** A toast with everything it would undo, oldest first. */
type Entry = { toast: Toast; undone: (ToastInput & { undo: Undo })[] };

let shown: Entry | null = null;
/** These come back, the last one first: at most one to undo, which is always last. */
let waiting: Entry[] = [];
let lastId = 0;
let removal: ReturnType<typeof setTimeout> | undefined;
/** How long the shown toast has been visible, without the time it was paused. */
let visibleMs = 0;
let visibleSince: number | null = null;

/** One toast at a time: a newer one takes its place. */
export function addToast(input: ToastInput): void {
  const current = shown?.toast.open ? shown : null;
  waiting = waiting.filter(({ toast }) => !toast.isPersistent || toast.title !== input.title);
  const { undo } = input;
  if (undo) {
    const earlier = [...takeWaitingUndo(), ...(current?.undone ?? [])];
    const others = earlier.filter((one) => !undo.key || one.undo.key !== undo.key);
    if (current && current.undone.length === 0) putAside(current);
    return show(joinUndos([...others, { ...input, undo }]));
  }
  const entry = { toast: buildToast(input), undone: [] };
  // A lasting toast waits until a short one is gone.
  if (comesBack(input) && current && !comesBack(current.toast)) waiting.unshift(entry);
  else {
    const isAgain = current?.toast.isPersistent && current.toast.title === input.title;
    if (current && !isAgain) putAside(current);
    show(entry);
  }
}

/** A dismissed toast stays mounted, so that it can animate out. */
export function dismissToast(id: number): void {
  if (shown?.toast.id !== id || !shown.toast.open) return;
  const next = waiting.pop();
  if (next) return show(next);
  shown = { ...shown, toast: { ...shown.toast, open: false } };
  toastStore.set(shown.toast);
  removal = setTimeout(() => {
    shown = null;
    toastStore.set(null);
  }, TOAST_REMOVE_DELAY_MS);
}

/** Closes the toast before it acts, as its action may show the next one. */
export function runToastAction({ id, action }: Toast): void {
  dismissToast(id);
  action?.onSelect();
}

export function dropUndo(key: string): void {
  const without = ({ undone }: Entry) => undone.filter((one) => one.undo.key !== key);
  const isLast = (entry: Entry) => entry.undone.length > 0 && without(entry).length === 0;
  waiting = waiting
    .filter((entry) => !isLast(entry))
    .map((entry) => (entry.undone.length > 0 ? joinUndos(without(entry)) : entry));
  if (!shown?.toast.open) return;
  if (isLast(shown)) dismissToast(shown.toast.id);
  else if (without(shown).length < shown.undone.length) show(joinUndos(without(shown)));
}

/** Stops the time while the user points at the toast or has left the window. */
export function pauseToast(): void {
  visibleMs = readVisibleMs();
  visibleSince = null;
}

export function resumeToast(): void {
  visibleSince ??= performance.now();
}

const readVisibleMs = (): number =>
  visibleMs + (visibleSince === null ? 0 : performance.now() - visibleSince);

function buildToast(input: ToastInput): Toast {
  const displayMs = input.isPersistent ? Infinity : TOAST_DISPLAY_MS;
  return { variant: 'default', ...input, id: ++lastId, open: true, displayMs };
}

function show(entry: Entry): void {
  clearTimeout(removal);
  visibleMs = 0;
  visibleSince = performance.now();
  // A new id, so that a toast that comes back is announced again and its time starts over.
  shown = { ...entry, toast: { ...entry.toast, id: ++lastId } };
  toastStore.set(shown.toast);
}

const comesBack = ({ isPersistent, canWait }: ToastInput): boolean =>
  Boolean(isPersistent || canWait);

/** Keeps a toast that has to come back, with the time it has left. */
function putAside({ toast, undone }: Entry): void {
  if (undone.length === 0 && !comesBack(toast)) return;
  const displayMs = Math.max(toast.displayMs - readVisibleMs(), TOAST_RETURN_MS);
  waiting.push({ toast: { ...toast, displayMs }, undone });
}

function takeWaitingUndo(): Entry['undone'] {
  const undone = waiting.flatMap((entry) => entry.undone);
  waiting = waiting.filter((entry) => entry.undone.length === 0);
  return undone;
}

function joinUndos(undone: Entry['undone']): Entry {
  const last = undone.at(-1);
  if (!last) throw new Error('There is nothing to undo.');
  const onSelect = () => void runUndos(undone);
  if (undone.length === 1)
    return {
      toast: buildToast({ ...last, action: { label: last.undo.label ?? 'Undo', onSelect } }),
      undone,
    };
  const label = undone.length === 2 ? 'Undo both' : `Undo all ${undone.length}`;
  return {
    toast: buildToast({ ...describeUndos(undone), undo: last.undo, action: { label, onSelect } }),
    undone,
  };
}

function describeUndos(undone: Entry['undone']): Pick<ToastInput, 'title' | 'description'> {
  const [first] = undone;
  const plural = first?.undo.plural;
  if (plural && undone.every(({ undo }) => undo.plural === plural))
    return { title: `${undone.length} ${plural}` };
  return {
    title: `${undone.length} changes`,
    description: undone.map(({ title }) => title).join(' · '),
  };
}

/** The last change is undone first, so that each finds what it left behind. */
async function runUndos(undone: Entry['undone']): Promise<void> {
  for (const { undo } of undone.toReversed())
    try {
      await undo.run();
    } catch (error) {
      console.warn('A change could not be undone.', error);
    }
}
