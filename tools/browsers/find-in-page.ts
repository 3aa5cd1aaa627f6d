/** How a person would name an element. Tests name them the same way. */
export type Target = {
  role: string;
  name?: string | RegExp;
  /** Only in the first element that this one names. */
  within?: Target;
};

/** The same as JSON, for a function that runs in a page. */
export type Wanted = { role: string; name: string; isPattern: boolean; within: Wanted | null };

export const toWanted = ({ role, name = /(?:)/, within }: Target): Wanted => ({
  role,
  name: typeof name === 'string' ? name : name.source,
  isPattern: typeof name !== 'string',
  within: within ? toWanted(within) : null,
});

export const describeTarget = ({ role, name, within }: Target): string =>
  `${role}${name === undefined ? '' : ` “${String(name)}”`}${within ? ` in ${describeTarget(within)}` : ''}`;

/**
 * The first element that is shown and has this role and name; null if there is none. Runs in the page,
 * by its source alone. Knows the roles of our elements; the end-to-end tests ask Chromium for all of them.
 */
export function findInPage(
  wanted: Wanted,
  /** `seen` is enough to read it; to press it, it must stand still with nothing in front. */
  need: 'seen' | 'pressable' | 'focused',
): HTMLElement | null {
  const TAGS: Record<string, string> = {
    button: 'button, summary',
    link: 'a[href]',
    heading: 'h1, h2, h3',
    textbox: 'input:not([type]), input:is([type=text], [type=email], [type=password]), textarea',
    radio: 'input[type=radio]',
    checkbox: 'input[type=checkbox]',
    file: 'input[type=file]',
    main: 'main',
    region: 'section[aria-label], section[aria-labelledby]',
    list: 'ul, ol',
    listitem: 'li',
    dialog: 'dialog[open]',
    text: 'main *, [role=dialog] *, [role=status], [role=status] *, section *',
  };
  const textOf = (node: Element | null): string => {
    if (!node) return '';
    const label = node.getAttribute('aria-label');
    if (label) return label;
    const parts = [...node.childNodes].map((child) => {
      if (child instanceof HTMLImageElement) return child.alt;
      if (child instanceof Element)
        return child.getAttribute('aria-hidden') === 'true' || child.tagName === 'svg'
          ? ''
          : textOf(child);
      return child.textContent ?? '';
    });
    return parts.join(' ').replaceAll(/\s+/g, ' ').trim();
  };
  const nameOf = (element: Element): string => {
    const ids = element.getAttribute('aria-labelledby')?.split(/\s+/) ?? [];
    const names = ids.map((id) => textOf(document.getElementById(id))).join(' ');
    // What it refers to may not be there.
    if (names !== '') return names;
    const label = element.getAttribute('aria-label');
    if (label) return label;
    if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement)
      return [...(element.labels ?? [])].map(textOf).join(' ');
    return textOf(element);
  };
  const isShown = (element: Element): boolean =>
    // A file input is pressed by its label.
    (wanted.role === 'file' || element.checkVisibility({ visibilityProperty: true })) &&
    !element.closest('[inert], [aria-hidden=true]');
  const find = ({ role, name, isPattern, within }: Wanted): Element | null => {
    const place = within ? find(within) : document;
    const tags = TAGS[role];
    const own = `[role=${role}]`;
    const pattern = isPattern ? new RegExp(name) : null;
    const matches = (element: Element): boolean => {
      const explicit = element.getAttribute('role');
      if (role !== 'text' && explicit !== null && explicit !== role) return false;
      if (!isShown(element)) return false;
      const text = nameOf(element);
      return pattern ? pattern.test(text) : text === name;
    };
    const found = [...(place?.querySelectorAll(tags ? `${tags}, ${own}` : own) ?? [])].filter(
      matches,
    );
    // The innermost element that has all of the text.
    return (role === 'text' ? found.at(-1) : found[0]) ?? null;
  };
  const element = find(wanted);
  if (!(element instanceof HTMLElement)) return null;
  if (need === 'seen') return element;
  if (element.matches(':disabled, [aria-disabled=true]')) return null;
  if (need === 'focused') {
    element.focus();
    if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement)
      element.select();
    return element;
  }
  element.scrollIntoView({ block: 'center', behavior: 'instant' });
  for (let part: Element | null = element; part; part = part.parentElement)
    if (part.getAnimations().some(({ playState }) => playState === 'running')) return null;
  const { x, y, width, height } = element.getBoundingClientRect();
  const watched = window as { lastPlace?: string };
  const place = [x, y, width, height].join();
  const isStill = watched.lastPlace === place;
  watched.lastPlace = place;
  const top = document.elementFromPoint(x + width / 2, y + height / 2);
  const isFree = top !== null && (element.contains(top) || top.contains(element));
  const isOfLabel = (element as HTMLInputElement).labels?.length && top?.closest('label');
  return isStill && (isFree || isOfLabel) ? element : null;
}
