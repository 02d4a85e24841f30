import { existsSync, writeFileSync } from 'node:fs'

/** Debian's libfaketime, which gives a process another clock. */
const CLOCK_LIBRARY = ['x86_64', 'aarch64']
  .map((kind) => `/usr/lib/${kind}-linux-gnu/faketime/libfaketimeMT.so.1`)
  .find(existsSync)

/** Returns the variables for a process whose clock differs by the offset in `file`. */
export const fakeClock = (file: string): Record<string, string> => ({
  LD_PRELOAD: CLOCK_LIBRARY!,
  FAKETIME_TIMESTAMP_FILE: file,
  FAKETIME_NO_CACHE: '1',
  FAKETIME_DONT_FAKE_MONOTONIC: '1',
})

/** Sets the offset from now on: `+1h`, `-1h`, `+0`. */
export const setClock = (file: string, by: string): void => writeFileSync(file, by)
