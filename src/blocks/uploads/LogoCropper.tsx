import { useEffect, useId, useRef, useState } from 'react'
import Cropper from 'react-easy-crop'
import 'react-easy-crop/react-easy-crop.css'
import { Actions, Button } from '../../ui/Button.tsx'
import { FieldBox } from '../../ui/form/CheckboxField.tsx'
import { cropped, type Area } from './picture.ts'

interface Props {
  file: File
  /** The pixels of the result. */
  size: { width: number; height: number }
  onCropped: (file: File) => void
  onUnreadable: () => void
  onCancel: () => void
}

/** Below 1 the whole logo fits, with a white edge, so that even a square logo fits a frame of 3:2. */
const ZOOM = { least: 0.25, most: 4, step: 0.05 }

/** Lets the person move and zoom the image. The part inside the frame becomes the logo. */
export function LogoCropper({ file, size, onCropped, onUnreadable, onCancel }: Props) {
  const id = useId()
  const url = useObjectUrl(file)
  const slider = useRef<HTMLInputElement>(null)
  const area = useRef<Area>(undefined)
  const [crop, setCrop] = useState({ x: 0, y: 0 })
  const [zoom, setZoom] = useState(1)
  const [busy, setBusy] = useState(false)
  useEffect(() => slider.current?.focus(), [])

  async function keep() {
    if (!area.current || !url) return
    setBusy(true)
    const image = await cropped(url, area.current, size).catch(() => undefined)
    if (!image) return onUnreadable()
    onCropped(new File([image], pngName(file.name), { type: 'image/png' }))
  }

  return (
    <div className="grid gap-3 rounded-2 border border-border p-4">
      {/* Empty parts of the frame become white. */}
      <div className="relative h-[14rem] overflow-hidden rounded-1 bg-verdict-text">
        {url && (
          <Cropper
            image={url}
            disableAutomaticStylesInjection
            aspect={size.width / size.height}
            crop={crop}
            zoom={zoom}
            minZoom={ZOOM.least}
            maxZoom={ZOOM.most}
            restrictPosition={false}
            onCropChange={setCrop}
            onZoomChange={setZoom}
            onCropAreaChange={(_, pixels) => {
              area.current = pixels
            }}
            onMediaLoaded={({ naturalWidth, naturalHeight }) =>
              setZoom(zoomOfWholeImage(naturalWidth / naturalHeight, size))
            }
            classes={{ cropAreaClassName: 'focus-visible:outline-fill focus-visible:-outline-offset-4' }}
            cropperProps={{
              role: 'application',
              'aria-label': 'Frame of the logo. Arrow keys move the image.',
            }}
          />
        )}
      </div>
      <FieldBox>
        <label className="font-label" htmlFor={id}>
          Zoom
        </label>
        <input
          ref={slider}
          className="w-full accent-fill"
          id={id}
          type="range"
          min={ZOOM.least}
          max={ZOOM.most}
          step={ZOOM.step}
          value={zoom}
          onChange={(event) => setZoom(Number(event.target.value))}
        />
      </FieldBox>
      <p className="text-muted">What is in the frame becomes the logo. Empty space turns white.</p>
      <Actions>
        <Button variant="primary" busy={busy} onClick={() => void keep()}>
          Use this part
        </Button>
        <Button onClick={onCancel}>Cancel</Button>
      </Actions>
    </div>
  )
}

/** Returns the zoom that shows the whole image of this ratio. At 1 the image fills the frame. */
const zoomOfWholeImage = (ratio: number, size: Props['size']) => {
  const wanted = size.width / size.height
  return Math.max(ZOOM.least, Math.min(ratio / wanted, wanted / ratio))
}

const pngName = (name: string) => `${name.replace(/\.[^.]*$/, '')}.png`

function useObjectUrl(file: File): string | undefined {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    const made = URL.createObjectURL(file)
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [file])
  return url
}
