import { useEffect, useEffectEvent, useState, type RefObject } from 'react'
import type { Hint } from './CodeReading.ts'
import { CameraError, cameraIds, closeCamera, openCamera, type CameraFailure } from './openCamera.ts'
import { openDecoder } from './openDecoder.ts'
import { watchCodes } from './watchCodes.ts'

export type CameraState =
  | { at: 'off' }
  /** Only when it takes long: the browser asks the person. */
  | { at: 'asking' }
  | { at: 'on'; stream: MediaStream; cameras: string[]; hint?: Hint | undefined }
  | { at: 'trouble'; trouble: CameraFailure }

interface Wanted {
  video: RefObject<HTMLVideoElement | null>
  running: boolean
  deviceId: string | undefined
  onCode: (serial: string) => void
  onTrouble: () => void
}

/** Has the camera open and read exactly while it is `running`: whatever ends that, its tracks are stopped at once. */
export function useCamera({ video, running, deviceId, onCode, onTrouble }: Wanted) {
  const [state, setState] = useState<CameraState>({ at: 'off' })
  const [attempt, setAttempt] = useState(0)
  const deliver = useEffectEvent(onCode)
  const complain = useEffectEvent((error: unknown) => {
    setState({ at: 'trouble', trouble: error instanceof CameraError ? error.trouble : 'unreadable' })
    onTrouble()
  })

  useEffect(() => {
    if (!running) return undefined
    const ending = new AbortController()
    const { signal } = ending
    const opening: Opening = {
      video,
      deviceId,
      show: (next) => !signal.aborted && setState(next),
      onSerial: (serial) => deliver(serial),
      signal,
    }
    runCamera(opening).catch((error: unknown) => {
      if (signal.aborted) return
      ending.abort()
      complain(error)
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
  onSerial: (serial: string) => void
  signal: AbortSignal
}

/** One opening of the camera, from the question to the last picture. */
async function runCamera({ video, deviceId, show, onSerial, signal }: Opening) {
  const stream = await openPatiently(deviceId, () => show({ at: 'asking' }))
  // The answer may come after the person has gone on.
  if (signal.aborted) return closeCamera(stream)
  signal.addEventListener('abort', () => closeCamera(stream))
  const lost = whenLost(stream)
  const playing = await play(video.current, stream)
  const on = { at: 'on', stream, cameras: await cameraIds() } as const
  show(on)
  const decode = await Promise.race([openDecoder(), lost])
  const onHint = (hint: Hint | undefined) => show({ ...on, hint })
  await Promise.race([watchCodes(playing, decode, { onSerial, onHint }, signal), lost])
}

/** A camera that is allowed opens sooner: its words would only flash. */
const ASKS_AFTER_MS = 400

async function openPatiently(deviceId: string | undefined, onAsking: () => void) {
  const timer = setTimeout(onAsking, ASKS_AFTER_MS)
  try {
    return await openCamera(deviceId)
  } finally {
    clearTimeout(timer)
  }
}

/** Rejects when the camera is pulled out, or its permission is taken back. */
function whenLost(stream: MediaStream): Promise<never> {
  const lost = new Promise<never>((_, reject) =>
    stream.getVideoTracks()[0]?.addEventListener('ended', () => reject(new CameraError('lost'))),
  )
  // It may happen between two steps, when nobody waits for it; the next step hears of it.
  lost.catch(() => undefined)
  return lost
}

async function play(video: HTMLVideoElement | null, stream: MediaStream): Promise<HTMLVideoElement> {
  if (!video) throw new CameraError('lost')
  video.srcObject = stream
  // Refused when the element leaves the page meanwhile; a picture that comes anyway is read.
  await video.play().catch(() => undefined)
  return video
}
