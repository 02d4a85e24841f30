/** Loaded into a server process with --expose-gc: SIGUSR2 has it throw away what nothing holds, so that only what is held is measured. */
process.on('SIGUSR2', () => globalThis.gc?.())
