import { useRef, useState } from 'react'
import { TestCode } from '../../blocks/printers/TestPage.tsx'
import { useHandScanner } from '../../blocks/vouchers/useHandScanner.ts'
import { serialFromScan, TEST_CODE } from '../../domain/vouchers.ts'
import { Button } from '../../ui/Button.tsx'
import type { Elements } from '../../ui/Elements.ts'
import { Icon, type Drawing } from '../../ui/Icon.tsx'
import { ICONS } from '../../ui/icons.tsx'
import { Item } from '../../ui/Panel.tsx'
import { usePageVisible } from '../../ui/usePageVisible.ts'
import { cameraFailureText } from './camera/cameraFailure.ts'
import { readCameraChoice } from './camera/CameraScanner.tsx'
import type { CodeReader } from './camera/CodeReading.ts'
import { useCamera, type CameraState } from './camera/useCamera.ts'

/** What reads vouchers at this till, each to be tried before the shift. Works without a connection. */
export const TryTill = () => (
  <>
    <Tried name="Camera" icon={ICONS.camera} say="Try whether it reads a code.">
      <CameraPicture />
    </Tried>
    <Tried name="Hand scanner" icon={ICONS.todo} say="Try whether its code arrives as it should.">
      <ScannerCode />
    </Tried>
  </>
)

interface TriedProps {
  name: string
  icon: Drawing
  say: string
  children: Elements
}

/** The camera is on, and scans are caught, only while somebody tries. */
function Tried({ name, icon, say, children }: TriedProps) {
  const [isOn, setOn] = useState(false)
  return (
    <Item
      mark={<Icon drawing={icon} />}
      actionBelow
      action={
        <Button aria-label={`${isOn ? 'Stop' : 'Try'}: ${name}`} onClick={() => setOn(!isOn)}>
          {isOn ? 'Stop' : 'Try'}
        </Button>
      }
    >
      <b className="font-strong">{name}</b>
      {isOn ? children : <p className="text-muted">{say}</p>}
    </Item>
  )
}

const ANY_CODE: CodeReader = { see: ([seen]) => seen && { code: seen.text } }

/** The camera of the counter, the same one of several. */
function CameraPicture() {
  const video = useRef<HTMLVideoElement>(null)
  const visible = usePageVisible()
  const [hasRead, setHasRead] = useState(false)
  const [deviceId] = useState(() => readCameraChoice().deviceId)
  const { state, again } = useCamera({
    video,
    running: visible,
    deviceId,
    reader: ANY_CODE,
    onCode: () => setHasRead(true),
    onFailure: () => undefined,
  })
  return (
    <div className="mt-2 grid gap-2">
      {/* Never `display: none`, in which some browsers do not play it. */}
      <video
        ref={video}
        className={
          state.at === 'on' ? 'aspect-[4/3] max-h-[40vh] w-full rounded-2 bg-camera-field object-cover' : 'sr-only'
        }
        muted
        playsInline
        aria-hidden="true"
      />
      <p role="status">{cameraText(state, hasRead)}</p>
      {state.at === 'failed' && (
        <div>
          <Button onClick={again}>Try again</Button>
        </div>
      )}
    </div>
  )
}

function cameraText(state: CameraState, hasRead: boolean): string {
  if (state.at === 'failed') return cameraFailureText(state.failure)
  if (state.at !== 'on') return 'Starting the camera. If the browser asks, allow it.'
  return hasRead ? 'It works: a code was read.' : 'Hold a voucher or the test page in front. Nothing is redeemed.'
}

function ScannerCode() {
  const [arrived, setArrived] = useState<'this' | 'other'>()
  useHandScanner({ onScan: (scanned) => setArrived(serialFromScan(scanned) === TEST_CODE ? 'this' : 'other') })
  return (
    <div className="mt-2 grid gap-2">
      <TestCode />
      <p role="status">{SCANNER_TEXTS[arrived ?? 'none']}</p>
    </div>
  )
}

const SCANNER_TEXTS = {
  none: 'Scan this code. Some scanners read paper only: print a test page for them.',
  this: 'It works: the code arrived.',
  other: 'Another code arrived. If it was this one, set the scanner to this device’s keyboard language.',
}
