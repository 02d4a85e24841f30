import type { Hint } from '../../redemptions/camera/CodeReading.ts'
import type { CameraFailure } from '../../redemptions/camera/openCamera.ts'
import type { CameraState } from '../../redemptions/camera/useCamera.ts'

const FAILURE_MESSAGES: Record<CameraFailure, string> = {
  denied: 'The camera is not allowed. Allow it in the browser, at the sign beside the address, then try again.',
  missing: 'No camera was found. Connect one and try again, or use the hand scanner or the number.',
  taken: 'The camera is in use by another app. Close it there, then try again.',
  lost: 'The camera stopped. Check that it is connected and allowed, then try again.',
  unreadable: 'The camera cannot be read here now. Use the hand scanner or the number.',
}

const HINT_MESSAGES: Record<Hint, string> = {
  foreign: 'This code is not a voucher of the programme.',
  several: 'More than one voucher is in view. Show one at a time.',
  told: 'This voucher was just scanned. Take it away before you show it again.',
}

const AIM_MESSAGE = 'Hold the barcode or QR code inside the frame'

/** The one line below the picture, which a screen reader says as it changes. `wanted`: the person has turned the camera on. */
export function cameraMessage(state: CameraState, wanted: boolean): string {
  switch (state.at) {
    case 'off':
      // Just before it starts, and while a step has it paused: nothing new to say.
      return wanted ? AIM_MESSAGE : 'Scan with the hand scanner, or use the camera'
    case 'asking':
      return 'Starting the camera. If the browser asks, allow it.'
    case 'on':
      return state.hint ? HINT_MESSAGES[state.hint] : AIM_MESSAGE
    case 'trouble':
      return FAILURE_MESSAGES[state.trouble]
  }
}
