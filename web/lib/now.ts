let renderedAt: number | undefined;

/** While the browser takes over a page, the time is that of its rendering, by the server's clock. */
export function setRenderedAt(at: number | undefined): void {
  renderedAt = at;
}

/** For what a page shows first: it must be the same on the server and in the browser. */
export const getNow = (): number => renderedAt ?? Date.now();
