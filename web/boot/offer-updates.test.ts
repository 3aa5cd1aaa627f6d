import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { ToastInput } from '#web/lib/store/toasts.ts';
import { offerUpdates } from './offer-updates.ts';

const showToast = vi.fn<(toast: ToastInput) => void>();

vi.mock('#web/lib/store/toasts.ts', () => ({
  showToast: (toast: ToastInput) => showToast(toast),
}));

class FakeWorker extends EventTarget {
  state = 'installing';
  postMessage = vi.fn<(message: unknown) => void>();
  become(state: string) {
    this.state = state;
    this.dispatchEvent(new Event('statechange'));
  }
}

class FakeRegistration extends EventTarget {
  waiting: FakeWorker | null = null;
  installing: FakeWorker | null = null;
  find(worker: FakeWorker) {
    this.installing = worker;
    this.dispatchEvent(new Event('updatefound'));
  }
}

/** What a page sees of the workers of its site. */
class FakeContainer extends EventTarget {
  controller: FakeWorker | null = null;
  reportChange() {
    this.dispatchEvent(new Event('controllerchange'));
  }
  claim(worker: FakeWorker) {
    this.controller = worker;
    this.reportChange();
  }
}

const watch = (container: FakeContainer) => {
  const look = offerUpdates(container as unknown as ServiceWorkerContainer);
  return (registration: FakeRegistration) =>
    look(registration as unknown as ServiceWorkerRegistration);
};

const openPage = (controller: FakeWorker | null) => {
  const [container, registration] = [new FakeContainer(), new FakeRegistration()];
  container.controller = controller;
  return { container, registration };
};

beforeEach(() => void showToast.mockClear());

describe('a first visit offers nothing', () => {
  it('when its worker takes over', () => {
    const { container, registration } = openPage(null);
    const look = watch(container);
    const first = new FakeWorker();
    registration.installing = first;
    look(registration);
    first.become('installed');
    first.become('activated');
    container.claim(first);
    expect(showToast).not.toHaveBeenCalled();
  });

  it('when WebKit answers between the change of the controller and its event', () => {
    const { container, registration } = openPage(null);
    const look = watch(container);
    container.controller = new FakeWorker();
    look(registration);
    container.reportChange();
    expect(showToast).not.toHaveBeenCalled();
  });

  it('when the page starts between them', () => {
    const { container, registration } = openPage(new FakeWorker());
    watch(container)(registration);
    container.reportChange();
    expect(showToast).not.toHaveBeenCalled();
  });
});

it.each(['waits already', 'is found later'])('a newer worker that %s is offered', (when) => {
  const { container, registration } = openPage(new FakeWorker());
  const newer = new FakeWorker();
  const look = watch(container);
  if (when === 'waits already') registration.waiting = newer;
  look(registration);
  if (when === 'is found later') {
    registration.find(newer);
    newer.become('installed');
  }
  expect(showToast).toHaveBeenCalledExactlyOnceWith(
    expect.objectContaining({ title: 'Update available', isPersistent: true }),
  );
  expect(newer.postMessage).not.toHaveBeenCalled();
  showToast.mock.calls[0]?.[0].action?.onSelect();
  expect(newer.postMessage).toHaveBeenCalledExactlyOnceWith({ type: 'SKIP_WAITING' });
});

it('a page whose worker was replaced from another tab is offered to reload', () => {
  const { container, registration } = openPage(null);
  watch(container)(registration);
  container.claim(new FakeWorker());
  expect(showToast).not.toHaveBeenCalled();
  container.claim(new FakeWorker());
  expect(showToast).toHaveBeenCalledOnce();
});
