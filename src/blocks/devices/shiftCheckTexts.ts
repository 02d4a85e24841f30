import type {
  CameraFailure,
  CheckOutcome,
  FailedCheck,
  ShiftCheckName,
  ShiftProblem,
} from '../../domain/devices/shiftCheck.ts'
import { formatCents } from '../../domain/money.ts'
import { pluralize } from '../../domain/quantities.ts'
import { isHomeScreenApp } from '../../offline/storage/storageHealth.ts'
import { connectivityTitle } from '../connectivity/connectivityTitle.ts'
import { lackMessages } from './lackMessages.ts'

export const SHIFT_CHECK_LABELS: Record<ShiftCheckName, string> = {
  connection: 'Connection',
  clock: 'Clock',
  storage: 'Storage',
  lists: 'Lists for offline',
  uploads: 'Waiting uploads',
  update: 'Update',
  camera: 'Camera',
  sound: 'Sound',
  printer: 'Printer',
  scanner: 'Hand scanner',
}

/** `All good`, or how much is not. */
export const shiftCheckVerdict = (failures: readonly FailedCheck[]): string =>
  failures.length === 0 ? 'All good' : `${pluralize(failures.length, 'thing')} to fix`

/** What came of one check, in a word or two. */
export function outcomeText(name: ShiftCheckName, outcome: CheckOutcome): string {
  switch (outcome.is) {
    case 'passed':
      return PASSED_TEXTS[name]
    case 'skipped':
      return SKIP_TEXTS[outcome.why]
    case 'failed':
      return 'To fix'
  }
}

const PASSED_TEXTS: Record<ShiftCheckName, string> = {
  connection: 'Online',
  clock: 'Correct',
  storage: 'Ready',
  lists: 'Stored',
  uploads: 'None',
  update: 'Newest version',
  camera: 'Works',
  sound: 'Heard',
  printer: 'Prints',
  scanner: 'Scans',
}

const SKIP_TEXTS: Record<Extract<CheckOutcome, { is: 'skipped' }>['why'], string> = {
  'not here': 'This till has none',
  connection: 'Needs a connection',
  storage: 'Nothing is stored on this device',
}

/** What is wrong, and how to put it right. */
export function shiftProblemText(problem: ShiftProblem): string {
  switch (problem.is) {
    case 'connection':
      return `${connectivityTitle(problem)}. ${connectionFix(problem)} Until then no voucher can be checked.`
    case 'uploads':
      return `${pluralize(problem.count, 'voucher')}, ${formatCents(problem.cents)}, still to upload. Keep this device on and online.`
    case 'update':
      return 'A new version is ready. Open “This device” and press “Update now”.'
    case 'camera failed':
      return cameraFailureText(problem.failure)
    case 'update unknown':
    case 'no picture':
    case 'not heard':
    case 'not printed':
    case 'not scanned':
    case 'scanned otherwise':
      return PROBLEM_TEXTS[problem.is]
    default:
      return lackMessages(problem).long
  }
}

function connectionFix({ verdict, captive }: Extract<ShiftProblem, { is: 'connection' }>): string {
  if (captive) return 'Open any other page in the browser, and log in there.'
  return verdict === 'offline' ? 'Turn on the Wi-Fi, or check the cable.' : 'Wait a few minutes, then check again.'
}

const PROBLEM_TEXTS = {
  'update unknown': 'The portal could not look for a new version. Check again in a few minutes.',
  'no picture': 'The camera shows no picture. Clean its lens, and remove what covers it.',
  'not heard': 'The sound was not heard. Turn up the volume, and turn off silent mode.',
  'not printed': 'The test page did not print. Check power, paper, and the printer that the browser chose.',
  'not scanned': 'The hand scanner sent nothing. Plug it in or charge it.',
  'scanned otherwise':
    'The hand scanner sent another code. Scan the code on this page. If it was this one, give the scanner the keyboard language of this device.',
} as const

const CAMERA_TEXTS: Record<CameraFailure, string> = {
  denied: 'The camera is not allowed. Allow it in the browser, beside the address, then try again.',
  missing: 'No camera was found. Connect one and try again, or use the hand scanner or the number.',
  busy: 'The camera is in use by another app. Close it there, then try again.',
  lost: 'The camera stopped. Check that it is connected and allowed, then try again.',
  unreadable: 'The camera cannot be read here now. Use the hand scanner or the number.',
  hidden: 'This browser hides pictures from the portal. Use the hand scanner or the number.',
}

/** It has no address to press beside, and asks again when it is opened again. */
const DENIED_TO_APP =
  'The camera is not allowed. Close the portal, open it again, and allow it. If nothing is asked, look in Settings under Safari, Camera.'

export const cameraFailureText = (failure: CameraFailure): string =>
  failure === 'denied' && isHomeScreenApp() ? DENIED_TO_APP : CAMERA_TEXTS[failure]
