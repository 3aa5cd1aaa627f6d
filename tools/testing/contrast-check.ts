import { checkContrast, readTokens } from './contrast.ts';

const results = checkContrast(readTokens());
for (const { theme, name, need, worst, failures } of results)
  console.log(
    `${failures ? 'FAIL' : 'pass'}  ${theme.padEnd(6)}${name.padEnd(30)}need ${String(need).padEnd(5)}worst ${worst.ratio.toFixed(2).padEnd(7)}${`--${worst.foreground} on --${worst.background}`.padEnd(32)}week ${worst.week}`,
  );
if (results.some((result) => result.failures > 0)) process.exitCode = 1;
