import type { CameraPermission } from '../../blocks/device/useCameraPermission.ts'
import { clockOffLabel } from '../../blocks/devices/lackMessages.ts'
import { isClockOff } from '../../domain/readiness.ts'
import type { WorkerState } from './useWorkerState.ts'

export const WORKER_LABELS: Record<WorkerState, string> = {
  serves: 'This device',
  'first visit': 'The server; it is being put on this device',
  none: 'The server',
}

export const CAMERA_LABELS: Record<CameraPermission, string> = {
  granted: 'Allowed',
  prompt: 'Asked at the first scan',
  denied: 'Blocked in the browser’s site settings',
  unknown: 'This browser does not say',
}

/** `offMs`: the server's clock minus this device's. */
export function clockLabel(offMs: number): string {
  return isClockOff(offMs) ? `${clockOffLabel(offMs)}: set it right in the device’s settings` : 'Right'
}
