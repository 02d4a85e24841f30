import { formatDuration } from '../../domain/quantities.ts'
import type { ReadinessProblem } from '../../domain/readiness.ts'

interface LackMessages {
  /** For the header: two or three words. */
  short: string
  /** For the page: what it means and what to do. */
  long: string
}

/** What is missing, in words. */
export function lackMessages(lack: ReadinessProblem): LackMessages {
  switch (lack.is) {
    case 'storage':
      return { short: 'Nothing is kept', long: 'This browser stores nothing now, so the portal needs a connection.' }
    case 'full':
      return { short: 'Device is full', long: 'Nothing new is kept until there is space on the device again.' }
    case 'shell':
      return {
        short: 'Not on device yet',
        long: 'The portal itself is not on this device yet. It comes by itself within a minute of being online.',
      }
    case 'lists missing':
      return { short: 'Lists missing', long: `Never kept here: ${listed(lack.names)}. Refresh them while online.` }
    case 'lists old': {
      const age = formatDuration(lack.ageMs)
      return { short: `Lists ${age} old`, long: `Up to ${age} old: ${listed(lack.names)}. Refresh them while online.` }
    }
    case 'clock': {
      const off = clockOffLabel(lack.offMs)
      return {
        short: `Clock ${off}`,
        long: `This device’s clock is ${off}. Set it right: times that are taken offline come from it.`,
      }
    }
    case 'camera':
      return {
        short: 'Camera blocked',
        long: 'The browser was told not to give the camera to the portal. Allow it in the site settings; hand scanner and keypad work meanwhile.',
      }
    case 'persistence':
      return {
        short: 'May be cleared',
        long: 'The browser has not promised to keep what is stored here: a device that runs full may clear it, downloads and uploads that wait included.',
      }
    case 'update':
      return { short: 'Update waiting', long: 'A new version of the portal is on this device and waits for a word.' }
  }
}

/** `10 minutes slow`. `offMs`: the server's clock minus this device's. */
export const clockOffLabel = (offMs: number): string =>
  `${formatDuration(Math.abs(offMs))} ${offMs > 0 ? 'slow' : 'fast'}`

const listed = (names: readonly string[]) => names.join(', ')
