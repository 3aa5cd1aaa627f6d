import { listShapes } from '#contract/art/cover-art.ts';
import { SLEEVE_SIZE, type Shape } from '#contract/art/cover-drawings.ts';
import { parseSleeveName } from '#contract/art/sleeve-names.ts';

/** A slow phone paints one sleeve per frame, so that it can scroll and type meanwhile. */
const FRAME_MS = 3;

const waiting = new Map<HTMLCanvasElement, string>();

/** Paints a drawn sleeve in one of the next frames. Returns a function that takes this back. */
export function paintSleeve(canvas: HTMLCanvasElement, name: string): () => void {
  if (waiting.size === 0) requestAnimationFrame(paintSome);
  waiting.set(canvas, name);
  return () => waiting.delete(canvas);
}

function paintSome(): void {
  const start = performance.now();
  for (const [canvas, name] of waiting) {
    waiting.delete(canvas);
    paint(canvas, name);
    if (performance.now() - start > FRAME_MS) break;
  }
  if (waiting.size > 0) requestAnimationFrame(paintSome);
}

function paint(canvas: HTMLCanvasElement, name: string): void {
  const sleeve = parseSleeveName(name);
  // Small and painted once: not worth the graphics processor.
  const context = canvas.getContext('2d', { alpha: false, willReadFrequently: true });
  if (!sleeve || !context) return;
  context.scale(canvas.width / SLEEVE_SIZE, canvas.height / SLEEVE_SIZE);
  for (const shape of listShapes(sleeve)) paintShape(context, shape);
}

function paintShape(context: CanvasRenderingContext2D, shape: Shape): void {
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
