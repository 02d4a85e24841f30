import type { CameraFailure } from '../../../domain/devices/shiftCheck.ts'

export class CameraError extends Error {
  override name = 'NoCamera' as const
  readonly failure: CameraFailure

  constructor(failure: CameraFailure) {
    super(`no camera: ${failure}`)
    this.failure = failure
  }
}

const FAILURES: Record<string, CameraFailure> = {
  NotAllowedError: 'denied',
  SecurityError: 'denied',
  NotFoundError: 'missing',
  OverconstrainedError: 'missing',
}

/**
 * Opens the camera with the id. Without an id, or when that camera is gone, one that looks away from the cashier, or else any.
 * @throws CameraError
 */
export async function openCamera(deviceId: string | undefined): Promise<MediaStream> {
  // Without https a browser does not have it.
  if (!('mediaDevices' in navigator)) throw new CameraError('missing')
  try {
    return await (deviceId ? openChosen(deviceId) : openOutward())
  } catch (error) {
    throw new CameraError((error instanceof DOMException && FAILURES[error.name]) || 'busy')
  }
}

const SHARP_ENOUGH = { width: { ideal: 1280 }, height: { ideal: 720 } }
const ask = (which: MediaTrackConstraints) =>
  navigator.mediaDevices.getUserMedia({ audio: false, video: { ...which, ...SHARP_ENOUGH } })

const openOutward = () => ask({ facingMode: { ideal: 'environment' } })

/** `exact`: with `ideal` the browser would prefer a camera that fits the size better. */
const openChosen = (deviceId: string) =>
  ask({ deviceId: { exact: deviceId } }).catch((error: unknown) => {
    if (error instanceof DOMException && error.name === 'OverconstrainedError') return openOutward()
    throw error
  })

/** Ids of every camera, in the browser's order. Most browsers have none until the person has allowed a camera. */
export async function cameraIds(): Promise<string[]> {
  const devices = await navigator.mediaDevices.enumerateDevices()
  return devices.flatMap(({ kind, deviceId }) => (kind === 'videoinput' && deviceId ? [deviceId] : []))
}

/** Releases the camera: the browser's sign and the light go out. */
export function closeCamera(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop()
}
