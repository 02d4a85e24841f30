import { useState, type ComponentProps } from 'react'
import { Button } from '../../../ui/Button.tsx'
import { ICONS } from '../../../ui/icons.tsx'

interface Props {
  stream: MediaStream
  cameras: string[]
  onCamera: (deviceId: string) => void
}

/** Shows the light and the choice of cameras, on devices that have them. */
export function CameraTools({ stream, cameras, onCamera }: Props) {
  const [isLit, setLit] = useState(false)
  const current = stream.getVideoTracks()[0]?.getSettings().deviceId ?? ''
  const next = cameras[(cameras.indexOf(current) + 1) % cameras.length]
  return (
    <div className="absolute top-3 right-3 flex gap-2">
      {hasLight(stream) && (
        <CameraButton
          icon={ICONS.light}
          aria-pressed={isLit}
          onClick={() => void switchLight(stream, !isLit).then(setLit)}
        >
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

/** A button over the picture. Like the picture, it has the same colours in the light and the dark theme. */
export const CameraButton = ({ className = '', ...rest }: ComponentProps<typeof Button>) => (
  <Button
    variant="bare"
    className={`border-camera-edge bg-camera-bar text-inherit hover:bg-camera-hover aria-pressed:bg-verdict-text aria-pressed:text-camera-field ${className}`}
    {...rest}
  />
)

/** TypeScript's own types lack `torch`. */
type Capabilities = MediaTrackCapabilities & { torch?: boolean }

/** True if the camera has a light that a page may switch. */
function hasLight(stream: MediaStream): boolean {
  const track = stream.getVideoTracks()[0]
  // Some browsers lack `getCapabilities`.
  const capabilities: Capabilities | undefined = track?.getCapabilities?.()
  return capabilities?.torch === true
}

/** Switches the light, and returns true if it is on afterwards. A device may refuse, for example when its battery is low. */
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
