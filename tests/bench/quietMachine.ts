import { cpus } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'

const BUSY_SHARE = 0.1
const WINDOW_MS = 500
const PATIENCE_MS = 30_000

function ticks(): { all: number; idle: number } {
  const times = cpus().map((cpu) => cpu.times)
  const sum = (of: (time: (typeof times)[number]) => number) => times.reduce((total, time) => total + of(time), 0)
  return { all: sum(({ user, nice, sys, idle, irq }) => user + nice + sys + idle + irq), idle: sum(({ idle }) => idle) }
}

/** Waits until nothing else uses the processor, but not for ever: a burst of another process is no result. */
export async function waitForQuietMachine(): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS
  for (;;) {
    const before = ticks()
    await sleep(WINDOW_MS)
    const after = ticks()
    const busy = 1 - (after.idle - before.idle) / (after.all - before.all)
    if (busy < BUSY_SHARE || Date.now() > deadline) return
  }
}
