import type { DrillScenario } from '../../domain/devices/drill.ts'
import type { StoredDrillEvent } from '../../offline/store/drill.ts'

interface ScenarioLabels {
  title: string
  what: string
  /** What a tester does while it is on. */
  task: string
}

export const SCENARIO_LABELS: Record<DrillScenario, ScenarioLabels> = {
  offline: {
    title: 'Offline',
    what: 'Every call is cut, as if the cable were pulled out.',
    task: 'Open a list you have seen before, ask for a report, confirm a voucher that was checked.',
  },
  slow: {
    title: 'Slow connection',
    what: 'Every call takes four seconds longer.',
    task: 'Look up a voucher, change pages quickly, log out.',
  },
  captive: {
    title: 'Login page of a Wi-Fi',
    what: 'Every call is answered by a web page that is not ours.',
    task: 'Reload, open a list, try to log in.',
  },
  errors: {
    title: 'Server errors',
    what: 'Every call is answered with 500.',
    task: 'Save a form, ask for a report, redeem a voucher.',
  },
  lostAnswer: {
    title: 'Lost answers',
    what: 'What you do is carried out at the server, and its answer is lost the first time.',
    task: 'Redeem a voucher, save a form, invite somebody. Nothing may happen twice.',
  },
  wrongClock: {
    title: 'Wrong clock',
    what: 'The clock of this device goes back by two hours.',
    task: 'Check a voucher before you start and confirm it after. Work on until the session is renewed.',
  },
  fullStorage: {
    title: 'Full storage',
    what: 'The device keeps nothing more.',
    task: 'Ask for a report, fill in a form, open lists.',
  },
  update: {
    title: 'Update waiting',
    what: 'A new version of the app is installed and waiting.',
    task: 'Put it off, reload, fill in a form, then update.',
  },
}

const FAULT_LABELS = {
  none: '',
  cut: 'cut by the drill',
  delayed: 'held up by the drill',
  replaced: 'answered by the drill',
  answerLost: 'carried out, answer lost by the drill',
}

/** One entry of the record. */
export function describeEvent(event: StoredDrillEvent): string {
  switch (event.kind) {
    case 'call':
      return [
        `${event.method} ${event.path}`,
        event.status ?? 'no answer',
        `${event.tookMs} ms`,
        FAULT_LABELS[event.fault],
      ]
        .filter((part) => part !== '')
        .join(', ')
    case 'line':
      return `The app judges the connection: ${event.verdict}`
    case 'update':
      return `The update is: ${event.phase}`
    case 'toast':
      return `The app says: ${event.text}`
    case 'queue':
      return `Downloads: ${event.waiting} waiting, ${event.ready} ready, ${event.failed} failed`
    case 'uploads':
      return `Vouchers still uploading: ${event.count}`
    case 'clock':
      return `The app finds its clock off by ${Math.round(event.offMs / 1000)} s`
    case 'storage':
      return `The app judges the storage: ${event.trouble}`
    case 'writeRefused':
      return `The device refused to keep something in “${event.store}”`
  }
}
