import { useState, type ComponentProps } from 'react'
import { Button } from '../../../ui/Button.tsx'
import { ICONS } from '../../../ui/icons.tsx'

interface Props {
  stream: MediaStream
  cameras: string[]
  onCamera: (deviceId: string) => void
}

/** The tools that only some devices need: a light, and a choice of cameras. */
export function CameraTools({ stream, cameras, onCamera }: Props) {
  const [lit, setLit] = useState(false)
  const now = stream.getVideoTracks()[0]?.getSettings().deviceId ?? ''
  const next = cameras[(cameras.indexOf(now) + 1) % cameras.length]
  return (
    <div className="absolute top-3 right-3 flex gap-2">
      {hasLight(stream) && (
        <CameraButton icon={ICONS.light} aria-pressed={lit} onClick={() => void switchLight(stream, !lit).then(setLit)}>
          Light
        </CameraButton>
      )}
      {cameras.length > 1 && next && (
        <CameraButton icon={ICONS.refresh} onClick={() => onCamera(next)}>
          Other camera
        </CameraButton>
      )}
    </div>
  )
}

/** Looks the same in the light and the dark theme, like the picture. */
export const CameraButton = ({ className = '', ...rest }: ComponentProps<typeof Button>) => (
  <Button
    variant="bare"
    className={`border-camera-edge bg-camera-bar text-inherit hover:bg-camera-hover aria-pressed:bg-verdict-text aria-pressed:text-camera-field ${className}`}
    {...rest}
  />
)

/** TypeScript's own library does not have `torch` yet. */
type Capabilities = MediaTrackCapabilities & { torch?: boolean }

/** True if the camera has a light that a page may switch. */
function hasLight(stream: MediaStream): boolean {
  const track = stream.getVideoTracks()[0]
  // Some browsers do not have it.
  const capabilities: Capabilities | undefined = track?.getCapabilities?.()
  return capabilities?.torch === true
}

/** Returns true if the light is on now: a device may refuse, for example when its battery is low. */
async function switchLight(stream: MediaStream, on: boolean): Promise<boolean> {
  const constraints = { advanced: [{ torch: on } as MediaTrackConstraintSet] }
  return (
    stream
      .getVideoTracks()[0]
      ?.applyConstraints(constraints)
      .then(
        () => on,
        () => !on,
      ) ?? false
  )
}
