import { useEffect, useEffectEvent, useState, type RefObject } from 'react'
import { canReadPictures } from '../../../ui/canReadPictures.ts'
import type { CameraFailure } from './cameraFailure.ts'
import type { Hint } from './CodeReading.ts'
import { openDecoder } from './openDecoder.ts'
import { watchCodes } from './watchCodes.ts'

export type CameraState =
  | { at: 'off' }
  /** Shown only when opening takes long, because the browser asks the user. */
  | { at: 'asking' }
  | { at: 'on'; stream: MediaStream; cameras: string[]; hint?: Hint | undefined }
  | { at: 'failed'; failure: CameraFailure }

interface Options {
  video: RefObject<HTMLVideoElement | null>
  running: boolean
  deviceId: string | undefined
  onCode: (code: string) => void
  onFailure: () => void
}

/** Opens the camera and reads codes while `running`. The camera is released as soon as reading ends, for any reason. */
export function useCamera({ video, running, deviceId, onCode, onFailure }: Options) {
  const [state, setState] = useState<CameraState>({ at: 'off' })
  const [attempt, setAttempt] = useState(0)
  const report = useEffectEvent(onCode)
  const fail = useEffectEvent((error: unknown) => {
    setState({ at: 'failed', failure: error instanceof CameraError ? error.failure : 'unreadable' })
    onFailure()
  })

  useEffect(() => {
    if (!running) return undefined
    const ending = new AbortController()
    const { signal } = ending
    const opening: Opening = {
      video,
      deviceId,
      show: (next) => !signal.aborted && setState(next),
      onCode: (code) => report(code),
      signal,
    }
    runCamera(opening).catch((error: unknown) => {
      if (signal.aborted) return
      ending.abort()
      fail(error)
    })
    return () => {
      ending.abort()
      setState({ at: 'off' })
    }
  }, [video, running, deviceId, attempt])

  return { state, again: () => setAttempt((count) => count + 1) }
}

interface Opening {
  video: RefObject<HTMLVideoElement | null>
  deviceId: string | undefined
  show: (state: CameraState) => void
  onCode: (code: string) => void
  signal: AbortSignal
}

/** Opens the camera and reads pictures until `signal` is aborted or the camera is lost. */
async function runCamera({ video, deviceId, show, onCode, signal }: Opening) {
  if (!canReadPictures()) throw new CameraError('hidden')
  const stream = await openWithNotice(deviceId, () => show({ at: 'asking' }))
  // The cashier may have left this screen meanwhile.
  if (signal.aborted) return closeCamera(stream)
  signal.addEventListener('abort', () => closeCamera(stream))
  const lost = rejectWhenLost(stream)
  const playing = await play(video.current, stream)
  const on = { at: 'on', stream, cameras: await cameraIds() } as const
  show(on)
  const decode = await Promise.race([openDecoder(), lost])
  const onHint = (hint: Hint | undefined) => show({ ...on, hint })
  await Promise.race([watchCodes(playing, decode, { onCode, onHint }, signal), lost])
}

/** A camera that is already allowed opens sooner, so the message would only flash. */
const ASKS_AFTER_MS = 400

async function openWithNotice(deviceId: string | undefined, onAsking: () => void) {
  const timer = setTimeout(onAsking, ASKS_AFTER_MS)
  try {
    return await openCamera(deviceId)
  } finally {
    clearTimeout(timer)
  }
}

/** Rejects when the camera is unplugged or its permission is taken back. */
function rejectWhenLost(stream: MediaStream): Promise<never> {
  const lost = new Promise<never>((_, reject) =>
    stream.getVideoTracks()[0]?.addEventListener('ended', () => reject(new CameraError('lost'))),
  )
  // The camera may be lost while no step awaits this promise: without a handler, the browser would report an error.
  lost.catch(() => undefined)
  return lost
}

async function play(video: HTMLVideoElement | null, stream: MediaStream): Promise<HTMLVideoElement> {
  if (!video) throw new CameraError('lost')
  video.srcObject = stream
  // `play` rejects if the element leaves the page meanwhile. Pictures that come all the same are read.
  await video.play().catch(() => undefined)
  return video
}

class CameraError extends Error {
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
 * Opens the camera with this id. Without an id, or if that camera is gone, prefers a camera that faces away from the cashier.
 * @throws CameraError
 */
async function openCamera(deviceId: string | undefined): Promise<MediaStream> {
  // Without https a browser offers no cameras.
  if (!('mediaDevices' in navigator)) throw new CameraError('missing')
  try {
    return await (deviceId ? openChosen(deviceId) : openOutward())
  } catch (error) {
    throw new CameraError((error instanceof DOMException && FAILURES[error.name]) || 'busy')
  }
}

const PICTURE_SIZE = { width: { ideal: 1280 }, height: { ideal: 720 } }
const requestCamera = (which: MediaTrackConstraints) =>
  navigator.mediaDevices.getUserMedia({ audio: false, video: { ...which, ...PICTURE_SIZE } })

const openOutward = () => requestCamera({ facingMode: { ideal: 'environment' } })

/** `exact`: with `ideal` the browser would prefer a camera with a better size. */
const openChosen = (deviceId: string) =>
  requestCamera({ deviceId: { exact: deviceId } }).catch((error: unknown) => {
    if (error instanceof DOMException && error.name === 'OverconstrainedError') return openOutward()
    throw error
  })

/** Returns the ids of all cameras in the browser's order. Most browsers give none until the user has allowed a camera. */
async function cameraIds(): Promise<string[]> {
  const devices = await navigator.mediaDevices.enumerateDevices()
  return devices.flatMap(({ kind, deviceId }) => (kind === 'videoinput' && deviceId ? [deviceId] : []))
}

/** Releases the camera: the browser's camera sign and the light go out. */
function closeCamera(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop()
}
