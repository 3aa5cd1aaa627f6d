import { listShapes } from '#contract/art/cover-art.ts';
import { SLEEVE_SIZE, type Shape } from '#contract/art/cover-drawings.ts';
import { parseSleeveName } from '#contract/art/sleeve-names.ts';
import { runBetweenFrames } from '#web/lib/schedule/schedule.ts';

/** Paints a drawn sleeve after one of the next frames. Returns a function that takes this back. */
export const paintSleeve = (canvas: HTMLCanvasElement, name: string): (() => void) =>
  runBetweenFrames(() => paint(canvas, name));

let canvas: OffscreenCanvas | undefined;

/** On one canvas for all, whose picture is then only shown: a frame would have to finish the painting. */
function paint(shown: HTMLCanvasElement, name: string): void {
  const sleeve = parseSleeveName(name);
  const { width, height } = shown;
  if (canvas?.width !== width) canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d', { alpha: false, willReadFrequently: true });
  if (!sleeve || !context) return;
  context.setTransform(width / SLEEVE_SIZE, 0, 0, height / SLEEVE_SIZE, 0, 0);
  for (const shape of listShapes(sleeve)) paintShape(context, shape);
  shown.getContext('bitmaprenderer')?.transferFromImageBitmap(canvas.transferToImageBitmap());
}

function paintShape(context: OffscreenCanvasRenderingContext2D, shape: Shape): void {
  const { fill, stroke, rotate, translate, children = [] } = shape;
  context.save();
  if (rotate) {
    const [degrees, x, y] = rotate;
    context.translate(x, y);
    context.rotate((degrees * Math.PI) / 180);
    context.translate(-x, -y);
  }
  if (translate) context.translate(...translate);
  if (shape['stroke-linecap']) context.lineCap = shape['stroke-linecap'];
  if (shape['stroke-linejoin']) context.lineJoin = shape['stroke-linejoin'];
  context.setLineDash(shape['stroke-dasharray']?.split(' ').map(Number) ?? []);
  const path = toPath(shape);
  if (fill && fill !== 'none') {
    context.fillStyle = fill;
    context.fill(path);
  }
  if (stroke) {
    context.strokeStyle = stroke;
    context.lineWidth = shape['stroke-width'] ?? 1;
    context.stroke(path);
  }
  for (const child of children) paintShape(context, child);
  context.restore();
}

function toPath({ d, x = 0, y = 0, width = 0, height = 0, cx = 0, cy = 0, r = 0 }: Shape): Path2D {
  const path = new Path2D(d);
  if (width) path.rect(x, y, width, height);
  if (r) path.arc(cx, cy, r, 0, 2 * Math.PI);
  return path;
}
