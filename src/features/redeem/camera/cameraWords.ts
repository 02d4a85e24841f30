import type { Hint } from '../../redemptions/camera/CodeReading.ts'
import type { CameraTrouble } from '../../redemptions/camera/openCamera.ts'
import type { CameraState } from '../../redemptions/camera/useCamera.ts'

const TROUBLES: Record<CameraTrouble, string> = {
  denied: 'The camera is not allowed. Allow it in the browser, at the sign beside the address, then try again.',
  missing: 'No camera was found. Connect one and try again, or use the hand scanner or the number.',
  taken: 'The camera is in use by another app. Close it there, then try again.',
  lost: 'The camera stopped. Check that it is connected and allowed, then try again.',
  unreadable: 'The camera cannot be read here now. Use the hand scanner or the number.',
}

const HINTS: Record<Hint, string> = {
  foreign: 'This code is not a voucher of the programme.',
  several: 'More than one voucher is in view. Show one at a time.',
  told: 'This voucher was just scanned. Take it away before you show it again.',
}

const HOLD = 'Hold the barcode or QR code inside the frame'

/** The one line below the picture, which a screen reader says as it changes. `wanted`: the person has turned the camera on. */
export function cameraWords(state: CameraState, wanted: boolean): string {
  switch (state.at) {
    case 'off':
      // Just before it starts, and while a step has it paused: nothing new to say.
      return wanted ? HOLD : 'Scan with the hand scanner, or use the camera'
    case 'asking':
      return 'Starting the camera. If the browser asks, allow it.'
    case 'on':
      return state.hint ? HINTS[state.hint] : HOLD
    case 'trouble':
      return TROUBLES[state.trouble]
  }
}
