import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { KeyboardEvent, PointerEvent, RefObject } from 'react';
import { moveAfter } from '#contract/rules/playlists.ts';
import type { Track } from '#contract/tracks.ts';
import { carryPointer } from './drag-pointer.ts';
import { neighbourAt, placeAt, placeByKey, type Lift } from './reorder.ts';
import type { Move } from './track-mutations.ts';

type Tracks = readonly Track[];
type Held = { lift: Lift; end: () => void };

const idOf = (track: Track): string => track.id;
const isLiftKey = (key: string): boolean => key === ' ' || key === 'Enter';
const rowHeightOf = (handle: HTMLElement): number =>
  handle.closest('li')?.getBoundingClientRect().height ?? 1;

/**
 * Rows that can be put into another order, by pointer or with the keys. What is shown is the new
 * order from the moment a row is put down, until whoever owns the tracks hands over others; a row
 * that is held when that happens is let go.
 */
export function useReorder(base: Tracks, onMove: (move: Move) => void) {
  const [lifted, setLifted] = useState<{ base: Tracks; lift: Lift } | null>(null);
  const [shown, setShown] = useState<{ base: Tracks; tracks: Tracks } | null>(null);
  const [words, setWords] = useState('');
  const list = useRef<HTMLDivElement>(null);
  const held = useRef<Held | null>(null);
  const tracks = shown?.base === base ? shown.tracks : base;
  const lift = lifted?.base === base ? lifted.lift : null;
  const ids = tracks.map(idOf);

  const say = (id: string, what: string, place: number) => {
    const title = tracks.find((track) => track.id === id)?.title ?? '';
    setWords(`${title} ${what}, place ${place + 1} of ${ids.length}.`);
  };
  const hold = (next: Lift, end: () => void = () => undefined) => {
    held.current = { lift: next, end: held.current?.end ?? end };
    setLifted({ base, lift: next });
  };
  const letGo = (): Lift | null => {
    const last = held.current;
    held.current = null;
    last?.end();
    setLifted(null);
    return last?.lift ?? null;
  };
  const moveTo = (to: number) => {
    const current = held.current?.lift;
    if (!current || current.to === to) return;
    hold({ ...current, to });
    say(current.id, 'moved', to);
  };
  const cancel = () => {
    const last = letGo();
    if (last) say(last.id, 'is back where it was', last.from);
  };
  const drop = () => {
    const last = letGo();
    if (!last) return;
    say(last.id, 'put down', last.to);
    if (last.to === last.from) return;
    const after = neighbourAt(ids, last);
    setShown({ base, tracks: moveAfter(tracks, idOf, { id: last.id, after }) });
    onMove({ trackId: last.id, after });
  };

  const onPointerDown = (id: string, event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0 || held.current) return;
    const handle = event.currentTarget;
    // The row in use stays drawn however far the page is scrolled.
    handle.focus();
    const row = handle.closest<HTMLElement>('[data-reorder-row]');
    const from = ids.indexOf(id);
    const start: Lift = { id, from, to: from, by: 'pointer', rowHeight: rowHeightOf(handle) };
    const end = carryPointer({
      startY: event.pageY,
      // Every pixel goes past React: only a new place is worth a render.
      onCarried: (pixels) => {
        row?.style.setProperty('--carried', `${pixels}px`);
        moveTo(placeAt(start, pixels, ids.length));
      },
      onDropped: drop,
      onCancelled: cancel,
    });
    hold(start, () => {
      end();
      row?.style.removeProperty('--carried');
    });
    say(id, 'lifted', from);
  };

  const onKeyDown = (id: string, event: KeyboardEvent<HTMLElement>) => {
    const current = held.current?.lift;
    if (current?.by === 'pointer') return;
    const to = current ? placeByKey(current, event.key, ids.length) : null;
    const isCancel = current !== undefined && event.key === 'Escape';
    if (to === null && !isCancel && !isLiftKey(event.key)) return;
    // Space, arrows and Escape mean something to the player too.
    event.preventDefault();
    event.stopPropagation();
    if (isCancel) return cancel();
    if (to !== null) return moveTo(to);
    if (current) return drop();
    const from = ids.indexOf(id);
    hold({ id, from, to: from, by: 'keys', rowHeight: rowHeightOf(event.currentTarget) });
    say(id, 'lifted', from);
  };

  useFocusKept(list, lift);
  useLayoutEffect(() => {
    if (lift || !held.current) return;
    held.current.end();
    held.current = null;
  });
  useEffect(() => () => held.current?.end(), []);

  return {
    list,
    tracks,
    lift,
    /** For a live region. */
    words,
    handleProps: (id: string) => ({
      'data-handle': id,
      onPointerDown: (event: PointerEvent<HTMLElement>) => onPointerDown(id, event),
      onKeyDown: (event: KeyboardEvent<HTMLElement>) => onKeyDown(id, event),
      onBlur: () => held.current?.lift.by === 'keys' && cancel(),
    }),
  };
}

/** What the keys lift stays in sight, and what was put down keeps the focus. */
function useFocusKept(list: RefObject<HTMLElement | null>, lift: Lift | null): void {
  const lastHeld = useRef<string | null>(null);
  useLayoutEffect(() => {
    const id = lift?.id ?? lastHeld.current;
    lastHeld.current = lift?.id ?? null;
    if (!id) return;
    const find = () =>
      list.current?.querySelector<HTMLElement>(`[data-handle="${CSS.escape(id)}"]`) ?? null;
    if (lift?.by === 'keys') find()?.scrollIntoView({ block: 'nearest' });
    if (!lift) keepFocus(find, FRAMES_TO_SETTLE);
  });
}

const FRAMES_TO_SETTLE = 20;

/** Moving a row in the page takes the focus from it, and a long list moves its rows once more a little later. */
function keepFocus(find: () => HTMLElement | null, frames: number): void {
  const handle = find();
  const { activeElement } = document;
  if (activeElement === document.body) handle?.focus({ preventScroll: true });
  else if (activeElement !== handle) return;
  if (frames > 0) requestAnimationFrame(() => keepFocus(find, frames - 1));
}
