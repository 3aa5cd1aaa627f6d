import { AppError } from '../../http/app-error.ts';
import { loadSharp } from '../../ports/media/load-sharp.ts';

const SIDE = 512;
/** A decoded picture takes four bytes a pixel; a small file can claim to be enormous. */
const MAX_PIXELS = 50_000_000;

const startsWith = (bytes: Buffer, text: string, offset = 0) =>
  bytes.toString('latin1', offset, offset + text.length) === text;

/** Only the formats we promise reach the decoder, whatever the content type claims. */
export function isAcceptedImage(bytes: Buffer): boolean {
  return (
    startsWith(bytes, '\xff\xd8\xff') ||
    startsWith(bytes, '\x89PNG\r\n\x1a\n') ||
    startsWith(bytes, 'GIF87a') ||
    startsWith(bytes, 'GIF89a') ||
    (startsWith(bytes, 'RIFF') && startsWith(bytes, 'WEBP', 8)) ||
    startsWith(bytes, 'ftypavif', 4) ||
    startsWith(bytes, 'ftypavis', 4)
  );
}

/** A square WebP without metadata, turned the way the camera was held. */
export async function convertAvatar(bytes: Buffer): Promise<Buffer> {
  if (!isAcceptedImage(bytes)) throw new AppError('invalid_image');
  const sharp = await loadSharp();
  try {
    return await sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'error' })
      .rotate()
      .resize(SIDE, SIDE, { fit: 'cover' })
      .webp({ quality: 82 })
      .timeout({ seconds: 10 })
      .toBuffer();
  } catch {
    throw new AppError('invalid_image');
  }
}
