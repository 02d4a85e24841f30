import { useState } from 'react'
import { Button } from '../../../ui/Button.tsx'
import { hasLight, switchLight } from '../../redeem/camera/light.ts'

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
    <div className="tools">
      {hasLight(stream) && (
        <Button icon="light" aria-pressed={lit} onClick={() => void switchLight(stream, !lit).then(setLit)}>
          Light
        </Button>
      )}
      {cameras.length > 1 && next && (
        <Button icon="refresh" onClick={() => onCamera(next)}>
          Other camera
        </Button>
      )}
    </div>
  )
}
