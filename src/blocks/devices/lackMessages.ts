import { clockOffLabel, type ReadinessProblem } from '../../domain/devices/readiness.ts'
import { formatDuration } from '../../domain/quantities.ts'
import { isHomeScreenApp } from '../../offline/storage/storageHealth.ts'

interface LackMessages {
  /** Two or three words, for the header. */
  short: string
  /** For the page: what the problem means and what to do. */
  long: string
}

/** Returns the texts for a problem. */
export function lackMessages(lack: ReadinessProblem): LackMessages {
  switch (lack.is) {
    case 'storage':
      return { short: 'Nothing is stored', long: 'This browser stores nothing now, so the portal needs a connection.' }
    case 'full':
      return { short: 'Device is full', long: 'Nothing new is kept until there is space on the device again.' }
    case 'shell':
      return {
        short: 'Getting ready',
        long: 'The portal is being stored on this device, to work offline. It takes a minute while online.',
      }
    case 'lists missing':
      return { short: 'Lists missing', long: `Not on this device yet: ${listed(lack.names)}.` }
    case 'lists old': {
      const age = formatDuration(lack.ageMs)
      return { short: `Lists ${age} old`, long: `Up to ${age} old: ${listed(lack.names)}.` }
    }
    case 'clock': {
      const off = clockOffLabel(lack.offMs)
      return {
        short: `Clock ${off}`,
        long: `This device’s clock is ${off}. Correct it: times of what you do offline come from it.`,
      }
    }
    case 'camera':
      return {
        short: 'Camera blocked',
        long: 'This browser does not let the portal use the camera. Allow it beside the address, or ask who manages it. Hand scanner and keypad still work.',
      }
    case 'persistence':
      return {
        short: 'Install the app',
        long: `${clearedWhen()} Vouchers waiting to upload are deleted with it.`,
      }
    case 'update':
      return { short: 'Update waiting', long: 'A new version is ready to install.' }
  }
}

/**
 * Says when the browser deletes offline data. Safari deletes the data of pages that are not visited. For an app on the home
 * screen, only days on which the app is used count.
 */
export const clearedWhen = (): string =>
  isHomeScreenApp() === false
    ? 'A browser on an iPhone or iPad deletes offline data after seven days of use without the portal, or when the device runs out of space.'
    : 'If this device runs out of space, the browser may delete offline data.'

const listed = (names: readonly string[]) => names.join(', ')
