import { once } from 'node:events';
import { loadSharp } from './load-sharp.ts';

/** The process of `convertDrawing`: prints a drawing as a JPEG. */
const sharp = await loadSharp();
const jpeg = await sharp(Buffer.from(process.argv[2] ?? ''))
  .flatten({ background: '#000' })
  .jpeg({ quality: 86, progressive: false })
  .toBuffer();
if (!process.stdout.write(jpeg)) await once(process.stdout, 'drain');
