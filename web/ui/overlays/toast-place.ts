export type Box = { left: number; top: number; right: number; bottom: number };

const MARGIN_PX = 12;
/** The page's header is at most this high. */
const HEADER_PX = 64;

const STEP_PX = 16;
const STEPS = 10;

/** Where a toast can be: its usual place or beside it, then a bit higher, then near the header. */
export function listPlaces(usual: Box, leftEdge: number): Box[] {
  const [width, height] = [usual.right - usual.left, usual.bottom - usual.top];
  const centre = (leftEdge + usual.left) / 2;
  const lefts = [usual.left, ...(leftEdge < usual.left ? [centre, leftEdge] : [])];
  const higher = Array.from({ length: STEPS }, (_, i) => usual.top - STEP_PX * i);
  const belowHeader = HEADER_PX + MARGIN_PX;
  const tops = [...higher.filter((top) => top > belowHeader), belowHeader, MARGIN_PX];
  return tops.flatMap((top) =>
    lefts.map((left) => ({ left, top, right: left + width, bottom: top + height })),
  );
}

/** The first place that covers the fewest controls. */
export function choosePlace(
  places: readonly [Box, ...Box[]],
  countControls: (place: Box) => number,
): Box {
  let [best] = places;
  let fewest = Infinity;
  for (const place of places) {
    const covered = countControls(place);
    if (covered >= fewest) continue;
    [best, fewest] = [place, covered];
    if (covered === 0) break;
  }
  return best;
}

const CONTROLS =
  'a[href], button, input, select, textarea, summary, [role=slider], [role=option], [tabindex="0"]';
/** Rows are everywhere in a long list, and can be scrolled from under the toast. */
const ROWS = 'main li, main tr';

/** Counts what a user could press there now: not what a dialog covers. */
function countCovered(place: Box, controls: readonly Element[], toast: Element): number {
  return controls.filter((control) => {
    const box = control.getBoundingClientRect();
    const [left, right] = [Math.max(box.left, place.left), Math.min(box.right, place.right)];
    const [top, bottom] = [Math.max(box.top, place.top), Math.min(box.bottom, place.bottom)];
    if (right - left < 1 || bottom - top < 1) return false;
    const hit = document
      .elementsFromPoint((left + right) / 2, (top + bottom) / 2)
      .find((element) => !toast.contains(element));
    return control.contains(hit ?? null);
  }).length;
}

/** A move from the usual place, in pixels. */
type Move = { x: number; y: number };

function findMove(toast: HTMLElement, current: Move): Move {
  // Unlike its bounding box, the offsets don't include the move.
  const { offsetLeft: left, offsetTop: top, offsetWidth, offsetHeight } = toast;
  const usual = { left, top, right: left + offsetWidth, bottom: top + offsetHeight };
  const gutter = document.documentElement.clientWidth - usual.right;
  const page = document.getElementById('main')?.getBoundingClientRect();
  const places = listPlaces(usual, (page?.left ?? 0) + gutter);
  const now = places.find((one) => one.left - left === current.x && one.top - top === current.y);
  const controls = [...document.querySelectorAll(CONTROLS)].filter(
    (control) => !toast.contains(control) && !control.closest(ROWS),
  );
  const best = choosePlace([now ?? usual, ...places], (place) =>
    countCovered(place, controls, toast),
  );
  return { x: best.left - left, y: best.top - top };
}

/** Keeps the toast off the controls: when it opens, and when something moves or opens under it. */
export function watchToastPlace(toast: HTMLElement): () => void {
  let move: Move = { x: 0, y: 0 };
  const settle = () => {
    // The press of its button also moves the focus, and would miss if the toast moved away.
    if (toast.matches(':active')) return;
    move = findMove(toast, move);
    toast.style.translate = `${move.x}px ${move.y}px`;
  };
  // Before the first paint: the toast has its size only now.
  const observer = new ResizeObserver(settle);
  observer.observe(toast);
  const controller = new AbortController();
  const options = { capture: true, signal: controller.signal };
  for (const event of ['resize', 'scrollend', 'focusin', 'animationend'])
    window.addEventListener(event, settle, options);
  return () => {
    observer.disconnect();
    controller.abort();
  };
}
