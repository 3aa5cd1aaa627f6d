import type { CDPSession, Locator } from '@playwright/test';

type Point = { x: number; y: number };

export async function middleOf(target: Locator): Promise<Point> {
  const box = await target.boundingBox();
  if (!box) throw new Error('The element is not visible.');
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** A real touch event, which the browser could also treat as a scroll. */
export async function touch(
  client: CDPSession,
  type: string,
  ...touchPoints: Point[]
): Promise<void> {
  await client.send('Input.dispatchTouchEvent', {
    type: type as 'touchStart' | 'touchMove' | 'touchEnd',
    touchPoints,
  });
}

/** A finger that moves and stays down. */
export async function slide(client: CDPSession, from: Point, to: Point): Promise<void> {
  await touch(client, 'touchStart', from);
  for (let step = 1; step <= 6; step++) {
    const y = from.y + ((to.y - from.y) * step) / 6;
    await touch(client, 'touchMove', { x: from.x, y });
  }
}
