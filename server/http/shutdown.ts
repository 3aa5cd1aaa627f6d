type SignalSource = Pick<NodeJS.Process, 'on' | 'exit'>;

/**
 * The first signal lets everything under way end; the second one does not wait. Exits with 0 when
 * all ended well.
 */
export function stopOnSignals(
  source: SignalSource,
  stop: () => Promise<void>,
  report: (error: unknown) => void,
) {
  let isStopping = false;
  const onSignal = () => {
    if (isStopping) source.exit(1);
    isStopping = true;
    stop().then(
      () => source.exit(0),
      (error: unknown) => {
        report(error);
        source.exit(1);
      },
    );
  };
  source.on('SIGTERM', onSignal);
  source.on('SIGINT', onSignal);
}
