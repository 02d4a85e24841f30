import { isHomeScreenApp } from '../../../offline/storage/storageHealth.ts'

/**
 * The reasons why the camera cannot scan. `denied`: the user or the browser does not allow the camera. `missing`: there is no
 * camera. `busy`: another app uses it. `lost`: it stopped while it was on. `unreadable`: the reader cannot be loaded. `hidden`:
 * the browser hides the pixels of pictures.
 */
export type CameraFailure = 'denied' | 'missing' | 'busy' | 'lost' | 'unreadable' | 'hidden'

const TEXTS: Record<CameraFailure, string> = {
  denied: 'This browser does not let the portal use the camera. Allow it beside the address, or ask who manages it.',
  missing: 'No camera was found. Connect one and try again, or use the hand scanner or the number.',
  busy: 'The camera is in use by another app. Close it there, then try again.',
  lost: 'The camera stopped. Check that it is connected and allowed, then try again.',
  unreadable: 'The camera cannot be read here now. Use the hand scanner or the number.',
  hidden: 'This browser hides pictures from the portal. Use the hand scanner or the number.',
}

/** An installed app shows no address bar, and asks again when it is reopened. */
const DENIED_TO_APP =
  'The camera is not allowed. Close the portal, open it again, and allow it. If nothing is asked, look in Settings under Safari, Camera.'

export const cameraFailureText = (failure: CameraFailure): string =>
  failure === 'denied' && isHomeScreenApp() ? DENIED_TO_APP : TEXTS[failure]
