import type { Locator, Page } from '@playwright/test';

type Clip = { x: number; y: number; width: number; height: number };

/** As in Windows' high contrast. */
export const forceColors = (page: Page) => page.emulateMedia({ forcedColors: 'active' });

/** The share of the pixels that isn't the ground of the page, 0 to 1, of an element or a part of it. */
export async function measureInk(
  element: Locator,
  part: (box: Clip) => Partial<Clip> = () => ({}),
): Promise<number> {
  const page = element.page();
  await element.scrollIntoViewIfNeeded();
  const box = await element.boundingBox();
  if (!box) throw new Error('It isn’t on the page.');
  const picture = await page.screenshot({ clip: { ...box, ...part(box) } });
  return page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes]));
    const pen = new OffscreenCanvas(image.width, image.height).getContext('2d');
    if (!pen) throw new Error('No canvas.');
    // The ground of the page is its first pixel.
    pen.fillStyle = 'Canvas';
    pen.fillRect(0, 0, 1, 1);
    const ground = pen.getImageData(0, 0, 1, 1).data;
    pen.drawImage(image, 0, 0);
    const { data } = pen.getImageData(0, 0, image.width, image.height);
    let ink = 0;
    for (let at = 0; at < data.length; at += 4)
      if ([0, 1, 2].some((i) => Math.abs((data[at + i] ?? 0) - (ground[i] ?? 0)) > 40)) ink += 1;
    return ink / (data.length / 4);
  }, picture.toString('base64'));
}
