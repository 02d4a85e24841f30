import type { CameraPermission } from '../../blocks/device/useCameraPermission.ts'
import { durationWords } from '../../domain/durationWords.ts'
import type { LineVerdict } from '../../domain/line.ts'
import { isClockOff } from '../../domain/readiness.ts'
import type { WorkerState } from './useWorkerState.ts'

export const LINE_WORDS: Record<LineVerdict, string> = {
  online: 'Online',
  slow: 'Online, slow',
  unreachable: 'The portal’s server cannot be reached',
  offline: 'No network',
}

export const WORKER_WORDS: Record<WorkerState, string> = {
  serves: 'This device',
  'first visit': 'The server; it is being put on this device',
  none: 'The server',
}

export const CAMERA_WORDS: Record<CameraPermission, string> = {
  granted: 'Allowed',
  prompt: 'Asked at the first scan',
  denied: 'Blocked in the browser’s site settings',
  unknown: 'This browser does not say',
}

/** `offMs`: the server's clock minus this device's. */
export function clockWords(offMs: number): string {
  if (!isClockOff(offMs)) return 'Right'
  return `${durationWords(Math.abs(offMs))} ${offMs > 0 ? 'slow' : 'fast'}: set it right in the device’s settings`
}
