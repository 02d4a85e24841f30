import { useEffect, useRef, useState } from 'react'
import * as v from 'valibot'
import { whenIdle } from '../../../state/firstScreen.ts'
import { readStored, writeStored } from '../../../state/persisted.ts'
import { Actions } from '../../../ui/Button.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { ICONS } from '../../../ui/icons.tsx'
import { usePageVisible } from '../../../ui/usePageVisible.ts'
import { cameraFailureText } from './cameraFailure.ts'
import { CameraButton, CameraTools } from './CameraTools.tsx'
import type { Hint } from './CodeReading.ts'
import { openDecoder } from './openDecoder.ts'
import { useCamera, type CameraState } from './useCamera.ts'

const DECODER_WAIT = { atLatestMs: 5_000, withoutIdleMs: 500 }

interface Props {
  /** Called once each time a voucher is shown. */
  onCode: (code: string) => void
  /** True when nothing may be scanned, so the camera is released. */
  paused: boolean
  /** Opens the keypad, when the tray beside it has vouchers. */
  onType?: (() => void) | undefined
}

/** Uses the camera as a scanner. The device remembers if the cashier has turned it on. Hand scanner and keypad work at any time. */
export function CameraScanner({ onCode, paused, onType }: Props) {
  const [choice, choose] = useCameraChoice()
  const visible = usePageVisible()
  const video = useRef<HTMLVideoElement>(null)
  const { state, again } = useCamera({
    video,
    running: choice.on && visible && !paused,
    deviceId: choice.deviceId,
    onCode,
    // After a failure the camera does not start automatically at the next voucher.
    onFailure: () => storeCameraChoice({ ...choice, on: false }),
  })
  // The reader is loaded early: later there may be no connection, or a newer build may have removed the file.
  useEffect(() => whenIdle(() => void openDecoder().catch(() => undefined), DECODER_WAIT), [])

  const switchCamera = () => {
    choose({ on: state.at === 'failed' || !choice.on })
    if (state.at === 'failed') again()
  }
  const isOn = state.at === 'on'
  const news = newsOf(state, onType !== undefined)
  // The text stays the same just before the camera starts and while it is paused.
  const idleText = onType ? 'Scan the next voucher, or press Redeem' : choice.on ? AIM : OFF
  return (
    <section
      className={`grid min-h-[18rem] grid-rows-[1fr_auto] overflow-hidden rounded-3 bg-camera-field text-verdict-text narrow:min-h-[15rem] ${onType ? (isOn ? 'phone:min-h-[12rem]' : 'phone:min-h-0 phone:grid-rows-[auto]') : ''}`}
      aria-label="Camera"
    >
      {/* Beside the tray, the drawing is hidden on a phone and as small as possible on a tablet. */}
      <div
        className={`relative grid place-items-center p-6 ${onType ? 'narrow:grid-rows-[minmax(0,1fr)] narrow:[contain:size] phone:[contain:none]' : ''} ${onType && !isOn ? 'phone:hidden' : ''}`}
      >
        {/* Never `display: none`: some browsers do not play such a video. */}
        <video
          ref={video}
          className={`absolute inset-0 size-full object-cover ${isOn ? 'opacity-100' : 'opacity-0'}`}
          muted
          playsInline
          aria-hidden="true"
        />
        <VoucherFrame bare={isOn} />
        {isOn && (
          <CameraTools stream={state.stream} cameras={state.cameras} onCamera={(deviceId) => choose({ deviceId })} />
        )}
      </div>
      <div className="flex min-h-16 items-center gap-3 bg-camera-bar py-2 pr-3 pl-6 phone:pl-4 phone:leading-[1.25]">
        <Icon drawing={state.at === 'failed' ? ICONS.alert : ICONS.camera} className={onType ? 'tiny:hidden' : ''} />
        {/* A screen reader speaks only the news, so that the words about a voucher are not followed by instructions. */}
        <span>
          <span className={onType ? 'phone:hidden' : undefined}>{news === undefined ? idleText : ''}</span>
          <span role="status">{news}</span>
        </span>
        <Actions className="ml-auto flex-none tiny:*:px-2">
          {onType && <CameraButton onClick={onType}>Type a number</CameraButton>}
          <CameraButton onClick={switchCamera}>
            {state.at === 'failed' ? 'Try again' : choice.on ? 'Turn off' : 'Use camera'}
          </CameraButton>
        </Actions>
      </div>
    </section>
  )
}

/** The text while the camera is off. */
const OFF = 'Scan with the hand scanner, or use the camera'
const AIM = 'Hold the barcode or QR code inside the frame'

const HINTS: Record<Hint, string> = {
  foreign: 'This code is not a voucher of the programme.',
  several: 'More than one voucher is in view. Show one at a time.',
  again: 'This voucher was just scanned. Take it away before you show it again.',
}

/** The hint when the tray already has the voucher. */
const AGAIN_IN_TRAY = 'This voucher is in the tray. Take it away, and show the next one.'

/** Returns the text that a screen reader speaks when it changes. */
function newsOf(state: CameraState, hasVouchers: boolean): string | undefined {
  switch (state.at) {
    case 'off':
      return undefined
    case 'asking':
      return 'Starting the camera. If the browser asks, allow it.'
    case 'on':
      return hasVouchers && state.hint === 'again' ? AGAIN_IN_TRAY : state.hint && HINTS[state.hint]
    case 'failed':
      return cameraFailureText(state.failure)
  }
}

/** Shows where to hold the voucher. Over a picture only the outline is drawn, so that nothing covers the code. */
function VoucherFrame({ bare }: { bare: boolean }) {
  return (
    <svg
      // White lines on white paper need a shadow to be visible.
      className={`relative h-auto max-h-full w-[min(30rem,100%)] fill-none stroke-current stroke-2 ${bare ? '[filter:drop-shadow(0_0_2px_var(--camera-field))_drop-shadow(0_0_1px_var(--camera-field))]' : ''}`}
      viewBox="0 0 480 240"
      aria-hidden="true"
    >
      <path d="M12 2h318a14 14 0 0 0 28 0h110a10 10 0 0 1 10 10v216a10 10 0 0 1-10 10H358a14 14 0 0 0-28 0H12a10 10 0 0 1-10-10V12a10 10 0 0 1 10-10Z" />
      {!bare && (
        <>
          <path d="M344 28v184" strokeDasharray="6 8" />
          <path d={BARS} className="fill-camera-bars stroke-none" />
          <path d="M40 120h264" strokeWidth="3" />
        </>
      )}
    </svg>
  )
}

/** Widths and gaps of a barcode's bars, left to right, in units of 2.3. */
const WIDTHS = [1, 1, 2, 1, 2, 1, 3, 1, 1, 1, 4, 1, 1, 3, 1, 1, 2, 2, 3, 1, 2, 1, 2, 1, 1, 1, 1, 2, 2]

const GAPS = [1, 3, 1, 3, 1, 2, 1, 3, 2, 1, 1, 2, 1, 1, 1, 1, 1, 2, 2, 1, 2, 1, 2, 2, 3, 1, 4, 1]

const BARS = WIDTHS.reduce(
  ({ path, x }, width, index) => ({
    path: `${path}M${(60 + x * 2.3).toFixed(1)} 84h${(width * 2.3).toFixed(1)}v72h-${(width * 2.3).toFixed(1)}z`,
    x: x + width + (GAPS[index] ?? 0),
  }),
  { path: '', x: 0 },
).path

function useCameraChoice() {
  const [choice, setChoice] = useState(readCameraChoice)
  const choose = (changed: Partial<CameraChoice>) => {
    const next = { ...choice, ...changed }
    storeCameraChoice(next)
    setChoice(next)
  }
  return [choice, choose] as const
}

const CHOICE_KEY = 'counter-camera'

/** Says if the counter scans with the camera, and with which camera. Stored on the device for all its users. */
const CameraChoice = v.object({ on: v.boolean(), deviceId: v.optional(v.string()) })

type CameraChoice = v.InferOutput<typeof CameraChoice>

const readCameraChoice = (): CameraChoice => readStored(CHOICE_KEY, CameraChoice) ?? { on: false }

const storeCameraChoice = (choice: CameraChoice): void => void writeStored(CHOICE_KEY, choice)
