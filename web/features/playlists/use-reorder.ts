import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { KeyboardEvent, PointerEvent, RefObject } from 'react';
import { moveAfter } from '#contract/rules/playlists.ts';
import type { Track } from '#contract/tracks.ts';
import { watchPointerDrag } from './drag-pointer.ts';
import { findIdBefore, indexAtOffset, indexAfterKey, type Drag } from './reorder.ts';
import type { Move } from './track-mutations.ts';

type Tracks = readonly Track[];
type ActiveDrag = { drag: Drag; end: () => void };

const idOf = (track: Track): string => track.id;
const isPickUpKey = (key: string): boolean => key === ' ' || key === 'Enter';
const rowHeightOf = (handle: HTMLElement): number =>
  handle.closest('li')?.getBoundingClientRect().height ?? 1;

/**
 * Rows that can be reordered with the pointer or the keyboard. Shows the new order as soon as a row
 * is dropped, until `base` changes; that also cancels a drag in progress.
 */
export function useReorder(base: Tracks, onMove: (move: Move) => void) {
  const [dragged, setDragged] = useState<{ base: Tracks; drag: Drag } | null>(null);
  const [shown, setShown] = useState<{ base: Tracks; tracks: Tracks } | null>(null);
  const [announcement, setAnnouncement] = useState('');
  const list = useRef<HTMLDivElement>(null);
  const active = useRef<ActiveDrag | null>(null);
  const tracks = shown?.base === base ? shown.tracks : base;
  const drag = dragged?.base === base ? dragged.drag : null;
  const ids = tracks.map(idOf);

  const titleOf = (id: string) => tracks.find((track) => track.id === id)?.title ?? '';
  const announce = (id: string, action: string, index: number) =>
    setAnnouncement(`${titleOf(id)} ${action} position ${index + 1} of ${ids.length}.`);
  const setDrag = (next: Drag, end: () => void = () => undefined) => {
    active.current = { drag: next, end: active.current?.end ?? end };
    setDragged({ base, drag: next });
  };
  const endDrag = (): Drag | null => {
    const last = active.current;
    active.current = null;
    last?.end();
    setDragged(null);
    return last?.drag ?? null;
  };
  const moveTo = (to: number) => {
    const current = active.current?.drag;
    if (!current || current.to === to) return;
    setDrag({ ...current, to });
    announce(current.id, 'moved to', to);
  };
  const cancel = () => {
    const last = endDrag();
    if (last)
      setAnnouncement(`Cancelled. ${titleOf(last.id)} is back in position ${last.from + 1}.`);
  };
  const drop = () => {
    const last = endDrag();
    if (!last) return;
    announce(last.id, 'dropped at', last.to);
    if (last.to === last.from) return;
    const after = findIdBefore(ids, last);
    setShown({ base, tracks: moveAfter(tracks, idOf, { id: last.id, after }) });
    onMove({ trackId: last.id, after });
  };

  const onPointerDown = (id: string, event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0 || active.current) return;
    const handle = event.currentTarget;
    // The focused row stays rendered however far the page scrolls.
    handle.focus();
    const row = handle.closest<HTMLElement>('[data-reorder-row]');
    const from = ids.indexOf(id);
    const start: Drag = { id, from, to: from, by: 'pointer', rowHeight: rowHeightOf(handle) };
    const end = watchPointerDrag({
      startY: event.pageY,
      // Moves the row without React; only a new index is worth a render.
      onMove: (pixels) => {
        row?.style.setProperty('--drag-offset', `${pixels}px`);
        moveTo(indexAtOffset(start, pixels, ids.length));
      },
      onDrop: drop,
      onCancel: cancel,
    });
    setDrag(start, () => {
      end();
      row?.style.removeProperty('--drag-offset');
    });
    announce(id, 'picked up from', from);
  };

  const onKeyDown = (id: string, event: KeyboardEvent<HTMLElement>) => {
    const current = active.current?.drag;
    if (current?.by === 'pointer') return;
    const to = current ? indexAfterKey(current, event.key, ids.length) : null;
    const isCancel = current !== undefined && event.key === 'Escape';
    if (to === null && !isCancel && !isPickUpKey(event.key)) return;
    // The player also has shortcuts for Space, arrows and Escape.
    event.preventDefault();
    event.stopPropagation();
    if (isCancel) return cancel();
    if (to !== null) return moveTo(to);
    if (current) return drop();
    const from = ids.indexOf(id);
    setDrag({ id, from, to: from, by: 'keyboard', rowHeight: rowHeightOf(event.currentTarget) });
    announce(id, 'picked up from', from);
  };

  useRestoreFocus(list, drag);
  useLayoutEffect(() => {
    if (drag || !active.current) return;
    active.current.end();
    active.current = null;
  });
  useEffect(() => () => active.current?.end(), []);

  return {
    list,
    tracks,
    drag,
    /** For a live region. */
    announcement,
    handleProps: (id: string) => ({
      'data-handle': id,
      onPointerDown: (event: PointerEvent<HTMLElement>) => onPointerDown(id, event),
      onKeyDown: (event: KeyboardEvent<HTMLElement>) => onKeyDown(id, event),
      onBlur: () => active.current?.drag.by === 'keyboard' && cancel(),
    }),
  };
}

/** Keeps a row moved by keyboard in view, and restores its focus after the drop. */
function useRestoreFocus(list: RefObject<HTMLElement | null>, drag: Drag | null): void {
  const lastId = useRef<string | null>(null);
  useLayoutEffect(() => {
    const id = drag?.id ?? lastId.current;
    lastId.current = drag?.id ?? null;
    if (!id) return;
    const find = () =>
      list.current?.querySelector<HTMLElement>(`[data-handle="${CSS.escape(id)}"]`) ?? null;
    if (drag?.by === 'keyboard') find()?.scrollIntoView({ block: 'nearest' });
    if (!drag) restoreFocus(find, FOCUS_FRAMES);
  });
}

const FOCUS_FRAMES = 20;

/** A moved row loses the focus, and a virtual list moves its rows again a few frames later. */
function restoreFocus(find: () => HTMLElement | null, frames: number): void {
  const handle = find();
  const { activeElement } = document;
  if (activeElement === document.body) handle?.focus({ preventScroll: true });
  else if (activeElement !== handle) return;
  if (frames > 0) requestAnimationFrame(() => restoreFocus(find, frames - 1));
}
