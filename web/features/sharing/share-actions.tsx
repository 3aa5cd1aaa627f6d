import { useState, type ReactNode } from 'react';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { Copy, MessageCircle, QrCode as QrIcon, Share2 } from '#web/ui/icons.ts';
import { lazyPanel } from '#web/ui/overlays/lazy-overlay.tsx';
import { showToast } from '#web/lib/store/toasts.ts';
import { copyLink } from './copy-link.ts';
import { buildWhatsAppUrl } from './share-link.ts';
import { openShareSheet, urlOf, type Shared } from './share-sheet.ts';

const QrCode = lazyPanel(() => import('#web/ui/qr-code.tsx'), 'QrCode');

type ShareActionsProps = {
  shared: Shared;
  /** The link isn't finished. */
  isDisabled?: boolean;
  /** More buttons. */
  children?: ReactNode;
};

/** What people do with a link. The device's own list of apps comes first where there is one. */
export function ShareActions({ shared, isDisabled = false, children }: ShareActionsProps) {
  const [hasCode, setHasCode] = useState(false);
  const hasSheet = 'share' in navigator;
  return (
    <>
      <div className="mt-4 flex flex-wrap gap-2">
        {hasSheet && (
          <Button disabled={isDisabled} onClick={() => void openShareSheet(shared)}>
            <Share2 />
            Share with…
          </Button>
        )}
        <Button
          variant={hasSheet ? 'line' : 'primary'}
          disabled={isDisabled}
          onClick={() => void copyLink(urlOf(shared))}
        >
          <Copy />
          Copy link
        </Button>
        {!isDisabled && (
          <a
            href={buildWhatsAppUrl(shared)}
            target="_blank"
            rel="noopener noreferrer"
            className={buttonClass({ variant: 'line' })}
          >
            <MessageCircle />
            WhatsApp
          </a>
        )}
        <Button
          variant="line"
          disabled={isDisabled}
          aria-expanded={hasCode}
          onClick={() => setHasCode(!hasCode)}
        >
          <QrIcon />
          QR code
        </Button>
        {children}
      </div>
      {hasCode && !isDisabled && (
        <div className="mt-4 min-h-52">
          <QrCode
            text={urlOf(shared)}
            label={`QR code of the link to ${shared.name}`}
            open
            onFail={() => {
              setHasCode(false);
              showToast({ title: 'The QR code didn’t load', description: 'Please try again.' });
            }}
          />
        </div>
      )}
    </>
  );
}
