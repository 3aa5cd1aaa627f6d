import type { CDPSession, Locator, Page } from '@playwright/test';
import { isNightly } from './nightly.ts';

/** Phones, tablets, a small and a typical laptop, and a very wide window. */
const ALL_WINDOWS = [
  { width: 320, height: 640 },
  { width: 390, height: 844 },
  { width: 768, height: 1024 },
  { width: 820, height: 1180 },
  { width: 1024, height: 768 },
  { width: 1440, height: 900 },
  { width: 2560, height: 1440 },
];
/** The narrowest, a tablet and a laptop, where the layouts differ; every night all of them. */
const WINDOWS = isNightly()
  ? ALL_WINDOWS
  : ALL_WINDOWS.filter(({ width }) => [320, 768, 1440].includes(width));

/** For people who set a larger font in their browser: hardest on a phone. */
const LARGE_TEXT_WINDOWS = ALL_WINDOWS.filter(
  ({ width }) => width === 390 || (isNightly() && width === 1440),
);

const TEXT_SIZE = 16;

/** Resizes an open page through all windows, then doubles the text. */
export class LayoutWalk {
  readonly #page: Page;
  readonly #session: CDPSession;

  private constructor(page: Page, session: CDPSession) {
    this.#page = page;
    this.#session = session;
  }

  static async start(page: Page): Promise<LayoutWalk> {
    return new LayoutWalk(page, await page.context().newCDPSession(page));
  }

  /**
   * What doesn't fit, is cut off or can't be pressed, with the width of the window. `inside` names
   * what covers the rest of the page, if anything does.
   */
  async findProblems(inside = 'body'): Promise<string[]> {
    const problems = await this.#checkWindows(WINDOWS, 'px', inside);
    await this.#setTextSize(2 * TEXT_SIZE);
    problems.push(...(await this.#checkWindows(LARGE_TEXT_WINDOWS, 'px and 200 % text', inside)));
    await this.#setTextSize(TEXT_SIZE);
    return problems;
  }

  async #checkWindows(windows: typeof WINDOWS, unit: string, inside: string): Promise<string[]> {
    const problems: string[] = [];
    for (const size of windows) {
      await this.#page.setViewportSize(size);
      const found = await this.#page.evaluate(findLayoutProblems, inside);
      problems.push(...found.map((problem) => `${size.width} ${unit}: ${problem}`));
    }
    return problems;
  }

  #setTextSize(size: number): Promise<unknown> {
    return this.#session.send('Page.setFontSizes', { fontSizes: { standard: size, fixed: size } });
  }
}

/** How many lines of a text are seen: an element that cuts its text off hides the rest. */
export const countLines = (text: Locator): Promise<number> =>
  text.evaluate((element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    const isCut = getComputedStyle(element).overflowY !== 'visible';
    const { bottom } = element.getBoundingClientRect();
    const lines = [...range.getClientRects()].filter(
      (line) => !isCut || (line.top + line.bottom) / 2 < bottom,
    );
    return new Set(lines.map(({ top }) => Math.round(top))).size;
  });

/** Runs in the page. */
async function findLayoutProblems(inside: string): Promise<string[]> {
  const LEAST_LETTERS = 4;
  const CONTROLS =
    'a[href], button, input, select, textarea, summary, [role="slider"], [role="switch"]';
  const problems: string[] = [];
  const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  // Scripts react to the new width in one frame and lay out in the next.
  await nextFrame();
  await nextFrame();

  const nameOf = (element: Element): string => {
    const text = element.getAttribute('aria-label') ?? element.textContent?.trim() ?? '';
    return `<${element.tagName.toLowerCase()}> “${text.slice(0, 50)}”`;
  };

  /** Reading styles is slow, so each element is read once. */
  type Reading = { isSeen: boolean; block: Element; frames: readonly Element[] };
  const readings = new Map<Element | null, Reading>();
  const read = (element: HTMLElement): Reading => {
    const known = readings.get(element);
    if (known) return known;
    const parent = element.parentElement && read(element.parentElement);
    const { display, overflowX, opacity, visibility } = getComputedStyle(element);
    const isForScreenReaders = element.offsetWidth <= 1 && element.offsetHeight <= 1;
    const isFolded = element.matches('details:not([open]) > :not(summary)');
    const isShown = display !== 'none' && visibility === 'visible' && opacity !== '0' && !isFolded;
    const reading = {
      isSeen:
        (parent?.isSeen ?? true) && isShown && (display === 'contents' || !isForScreenReaders),
      block: display === 'inline' && parent ? parent.block : element,
      frames: [...(parent?.frames ?? []), ...(/hidden|clip/.test(overflowX) ? [element] : [])],
    };
    readings.set(element, reading);
    return reading;
  };
  /** The part of a rectangle that the element and its ancestors don't cut off. */
  const clip = (rect: DOMRect, element: HTMLElement): DOMRect => {
    let { left, top, right, bottom } = rect;
    for (const frame of read(element).frames) {
      const edges = frame.getBoundingClientRect();
      left = Math.max(left, edges.left);
      right = Math.min(right, edges.right);
      top = Math.max(top, edges.top);
      bottom = Math.min(bottom, edges.bottom);
    }
    return new DOMRect(left, top, Math.max(0, right - left), Math.max(0, bottom - top));
  };

  const page = document.documentElement;
  if (page.scrollWidth > page.clientWidth) {
    const isTooWide = (element: HTMLElement) =>
      clip(element.getBoundingClientRect(), element).right > page.clientWidth + 1;
    const wide = [...document.body.querySelectorAll<HTMLElement>('*:not(svg *)')].filter(isTooWide);
    const names = wide.slice(-3).map(nameOf).join(', ');
    problems.push(`${page.scrollWidth - page.clientWidth} px too wide: ${names}`);
  }

  const range = document.createRange();
  const root = document.querySelector(inside) ?? document.body;
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const node = texts.currentNode as Text;
    const element = node.parentElement;
    if (!element || !/\S{5}/.test(node.data) || element.closest('svg, option, script')) continue;
    const { isSeen, block } = read(element);
    if (!isSeen) continue;
    range.selectNodeContents(node);
    const lines = [...range.getClientRects()];
    const letter = lines.reduce((sum, line) => sum + line.width, 0) / node.data.length;
    const room = clip(block.getBoundingClientRect(), element).width;
    if (room < letter * LEAST_LETTERS) problems.push(`Narrow text: ${nameOf(element)}`);
  }

  const findCover = (control: HTMLElement): Element | null | undefined => {
    const [first = control.getBoundingClientRect()] = control.getClientRects();
    const { left, top, width, height } = clip(first, control.parentElement ?? control);
    const hit = document.elementFromPoint(left + width / 2, top + height / 2);
    // Toasts disappear by themselves; their own tests check what they cover.
    if (hit?.closest('[data-swipe-direction]')) return undefined;
    const isHit = hit && (control.contains(hit) || control.closest('label')?.contains(hit));
    return isHit ? undefined : hit;
  };
  const { scrollX: x, scrollY: y } = window;
  for (const control of root.querySelectorAll<HTMLElement>(CONTROLS)) {
    if (!read(control).isSeen || control.getAttribute('href') === '#main') continue;
    if (findCover(control) === undefined) continue;
    control.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
    const cover = findCover(control);
    if (cover !== undefined)
      problems.push(`Covered: ${nameOf(control)} by ${cover ? nameOf(cover) : 'the edge'}`);
  }
  window.scrollTo({ left: x, top: y, behavior: 'instant' });
  return problems;
}
