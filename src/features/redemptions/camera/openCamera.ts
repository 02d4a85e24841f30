/**
 * Why there is no picture. `denied`: person or browser said no. `missing`: no camera. `taken`: another app has it.
 * `lost`: it went away while it was on. `unreadable`: there is a picture, and nothing to read it with.
 */
export type CameraFailure = 'denied' | 'missing' | 'taken' | 'lost' | 'unreadable'

export class CameraError extends Error {
  override name = 'NoCamera' as const
  readonly trouble: CameraFailure

  constructor(trouble: CameraFailure) {
    super(`no camera: ${trouble}`)
    this.trouble = trouble
  }
}

const FAILURES: Record<string, CameraFailure> = {
  NotAllowedError: 'denied',
  SecurityError: 'denied',
  NotFoundError: 'missing',
  OverconstrainedError: 'missing',
}

/**
 * Asks for the camera with the id; without one, or when that one is gone, for one that looks away from the cashier. Any camera is
 * better than none.
 * @throws CameraError
 */
export async function openCamera(deviceId: string | undefined): Promise<MediaStream> {
  // Without https a browser has no such thing.
  if (!('mediaDevices' in navigator)) throw new CameraError('missing')
  try {
    return await (deviceId ? openChosen(deviceId) : openOutward())
  } catch (error) {
    throw new CameraError((error instanceof DOMException && FAILURES[error.name]) || 'taken')
  }
}

const SHARP_ENOUGH = { width: { ideal: 1280 }, height: { ideal: 720 } }
const ask = (which: MediaTrackConstraints) =>
  navigator.mediaDevices.getUserMedia({ audio: false, video: { ...which, ...SHARP_ENOUGH } })

const openOutward = () => ask({ facingMode: { ideal: 'environment' } })

/** As a mere wish, the camera would lose against one that fits the size better. */
const openChosen = (deviceId: string) =>
  ask({ deviceId: { exact: deviceId } }).catch((error: unknown) => {
    if (error instanceof DOMException && error.name === 'OverconstrainedError') return openOutward()
    throw error
  })

/** Ids of every camera, in the browser's order; named only once one of them may be used. */
export async function cameraIds(): Promise<string[]> {
  const devices = await navigator.mediaDevices.enumerateDevices()
  return devices.flatMap(({ kind, deviceId }) => (kind === 'videoinput' && deviceId ? [deviceId] : []))
}

/** Lets go of the camera: its sign goes out, and its light. */
export function closeCamera(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop()
}
