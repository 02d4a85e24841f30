import { useState, type ComponentProps } from 'react'
import { Button } from '../../../ui/Button.tsx'
import { ICONS } from '../../../ui/icons.tsx'

interface Props {
  stream: MediaStream
  cameras: string[]
  onCamera: (deviceId: string) => void
}

/** What only some devices have: a light, and more than one camera. */
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

/** The same by day and by night, as the picture is. */
export const CameraButton = ({ className = '', ...rest }: ComponentProps<typeof Button>) => (
  <Button
    variant="bare"
    className={`border-camera-edge bg-camera-bar text-inherit hover:bg-camera-hover aria-pressed:bg-verdict-text aria-pressed:text-camera-field ${className}`}
    {...rest}
  />
)

/** What TypeScript's own library does not know yet. */
type Capabilities = MediaTrackCapabilities & { torch?: boolean }

/** Whether the camera has a light that a page may switch. */
function hasLight(stream: MediaStream): boolean {
  const track = stream.getVideoTracks()[0]
  // Not in every browser.
  const capabilities: Capabilities | undefined = track?.getCapabilities?.()
  return capabilities?.torch === true
}

/** Returns whether it is on now: a device may refuse, for example when its battery is low. */
async function switchLight(stream: MediaStream, on: boolean): Promise<boolean> {
  const wish = { advanced: [{ torch: on } as MediaTrackConstraintSet] }
  return (
    stream
      .getVideoTracks()[0]
      ?.applyConstraints(wish)
      .then(
        () => on,
        () => !on,
      ) ?? false
  )
}
