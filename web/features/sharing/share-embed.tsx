import { useState } from 'react';
import { buildEmbedCode, EMBED_SIZE, embedPath, type EmbedTheme } from '#contract/rules/embed.ts';
import { PREVIEW_TEXT } from '#contract/rules/preview.ts';
import type { Track } from '#contract/tracks.ts';
import { copyCode } from './copy-link.ts';
import { Button } from '#web/ui/button.tsx';
import { TextAreaField } from '#web/ui/forms/field.tsx';
import { Segmented } from '#web/ui/forms/segmented.tsx';
import { Copy } from '#web/ui/icons.ts';

const THEMES: { value: EmbedTheme; label: string }[] = [
  { value: 'auto', label: 'Automatic' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
];

/** A player of the preview for other sites: how it looks, and the code for it. */
export function ShareEmbed({ track }: { track: Track }) {
  const [theme, setTheme] = useState<EmbedTheme>('auto');
  const { height } = EMBED_SIZE;
  const code = buildEmbedCode(window.location.origin, track, { theme, width: '100%', height });
  return (
    <>
      <p className="mb-3 text-text-2">A player for other websites, with the {PREVIEW_TEXT}.</p>
      <Segmented
        label="Player colours"
        options={THEMES}
        value={theme}
        onValueChange={setTheme}
        className="mb-3"
      />
      <iframe
        key={theme}
        src={embedPath(track.id, theme)}
        title={`${track.title}, preview`}
        sandbox="allow-scripts allow-popups allow-popups-to-escape-sandbox"
        height={height}
        className="mb-4 w-full rounded-panel border-0"
      />
      <TextAreaField
        label="Code"
        value={code}
        readOnly
        rows={4}
        spellCheck={false}
        className="font-mono text-13! break-all"
        onFocus={(event) => event.target.select()}
      />
      <Button className="mt-4" onClick={() => void copyCode(code)}>
        <Copy />
        Copy code
      </Button>
    </>
  );
}
