import { clockOffLabel, lackMessages } from '../../blocks/devices/lackMessages.ts'
import type { DeviceConcern } from '../../domain/devices/deviceConcerns.ts'
import { formatCents } from '../../domain/money.ts'
import { formatDuration, pluralize } from '../../domain/quantities.ts'

/** For the table, and what somebody can do. */
export function concernMessages(concern: DeviceConcern): { short: string; long: string } {
  switch (concern.is) {
    case 'unsettled':
      return {
        short: `${concern.count} held, ${formatCents(concern.cents)}, not settled`,
        long: 'This till has not said what became of them. If it is lost or broken, settle by hand what customers paid with.',
      }
    case 'silent':
      return {
        short: `Silent for ${formatDuration(concern.forMs)}`,
        long: 'Turn the device on, connect it and open the portal: it uploads by itself. Do not clear its browser.',
      }
    case 'waiting':
      return {
        short: `${pluralize(concern.count, 'voucher')} waiting`,
        long: 'They are held for this till for 24 hours. They are uploaded when it has a connection.',
      }
    case 'refused':
      return {
        short: `${pluralize(concern.count, 'upload')} refused`,
        long: 'Open the counter on this device: it shows which vouchers were refused, and why.',
      }
    case 'late':
      return {
        short: `${pluralize(concern.count, 'late upload')} to review`,
        long: 'What a till uploads after it was revoked, or what somebody settled for it, counts. Somebody should review it.',
      }
    case 'storage':
      return {
        short: lackMessages({ is: 'persistence' }).short,
        long: 'Its browser may delete vouchers that wait there. Install the portal on that device.',
      }
    case 'clock':
      return { short: `Clock ${clockOffLabel(concern.offMs)}`, long: 'Correct the clock of this device.' }
    case 'update':
      return {
        short: lackMessages({ is: 'update' }).short,
        long: 'Open “This device” on the till between customers, and press “Update now”.',
      }
    case 'not enrolled':
      return {
        short: 'Not enrolled',
        long: 'A cashier gave this till its name. A code makes sure that nobody can pass another device off as it.',
      }
    case 'removing':
      return {
        short: 'Removal asked for',
        long: 'With its next contact it uploads what waits and removes what else it stores.',
      }
    case 'not reported':
      return {
        short: 'Not reported yet',
        long: 'It reports when a cashier has logged in there with this version of the portal.',
      }
  }
}
