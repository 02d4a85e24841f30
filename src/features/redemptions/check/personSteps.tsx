import { useEffect, useRef, useState, type ComponentType } from 'react'
import { cameraFailureText } from '../../../blocks/devices/shiftCheckTexts.ts'
import { PrintOutcome, usePrinting } from '../../../blocks/printers/usePrinting.tsx'
import { useTestReceipt } from '../../../blocks/printers/useTestReceipt.ts'
import { playSound } from '../../../blocks/vouchers/playSound.ts'
import { useHandScanner } from '../../../blocks/vouchers/useHandScanner.ts'
import {
  failed,
  NOT_HERE,
  PASSED,
  TEST_CODE,
  type CameraFailure,
  type CheckOutcome,
  type PersonCheck,
  type ShiftProblem,
} from '../../../domain/devices/shiftCheck.ts'
import { serialFromScan } from '../../../domain/vouchers.ts'
import { Actions, Button } from '../../../ui/Button.tsx'
import { readCameraChoice } from '../camera/CameraScanner.tsx'
import { useCamera } from '../camera/useCamera.ts'
import { TestCode } from './TestCode.tsx'

interface StepProps {
  onOutcome: (outcome: CheckOutcome) => void
}

interface YesNoProps extends StepProps {
  /** What it means when it is not so. */
  no: ShiftProblem
  /** Nobody can have seen it yet. */
  tooEarly?: boolean
}

const YesNo = ({ onOutcome, no, tooEarly = false }: YesNoProps) => (
  <>
    <Button variant={tooEarly ? 'plain' : 'primary'} aria-disabled={tooEarly} onClick={() => onOutcome(PASSED)}>
      Yes
    </Button>
    <Button onClick={() => onOutcome(failed(no))}>No</Button>
  </>
)

const nothing = () => undefined

/** The camera of the counter, the same one of several. Only a picture that arrived can be seen. */
function CameraAnswers({ onOutcome }: StepProps) {
  const video = useRef<HTMLVideoElement>(null)
  const [hasPicture, setHasPicture] = useState(false)
  const [deviceId] = useState(() => readCameraChoice().deviceId)
  const { state, again } = useCamera({
    video,
    running: true,
    deviceId,
    onCode: nothing,
    onFailure: () => setHasPicture(false),
  })
  const isLive = state.at === 'on' && hasPicture
  const failure = state.at === 'failed' ? state.failure : undefined
  return (
    <>
      <div className="relative grid aspect-[4/3] max-h-[40vh] w-full place-items-center overflow-hidden rounded-2 bg-camera-field p-4 text-verdict-text">
        {/* Never `display: none`, in which some browsers do not play it. */}
        <video
          ref={video}
          className={`absolute inset-0 size-full object-cover ${isLive ? 'opacity-100' : 'opacity-0'}`}
          muted
          playsInline
          aria-hidden="true"
          onLoadedData={() => setHasPicture(true)}
        />
        <p role="status" className={isLive ? 'sr-only' : ''}>
          {statusText(isLive, failure)}
        </p>
      </div>
      <Actions>
        {failure ? (
          <>
            <Button variant="primary" onClick={again}>
              Try again
            </Button>
            <Button onClick={() => onOutcome(failed({ is: 'camera failed', failure }))}>Go on without it</Button>
          </>
        ) : (
          <YesNo onOutcome={onOutcome} no={{ is: 'no picture' }} tooEarly={!isLive} />
        )}
        <Button onClick={() => onOutcome(NOT_HERE)}>No camera here</Button>
      </Actions>
    </>
  )
}

function statusText(isLive: boolean, failure: CameraFailure | undefined): string {
  if (failure) return cameraFailureText(failure)
  return isLive ? 'The camera is on.' : 'Starting the camera. If the browser asks, allow it.'
}

function SoundAnswers({ onOutcome }: StepProps) {
  useEffect(() => playSound('redeemed'), [])
  return (
    <Actions>
      <YesNo onOutcome={onOutcome} no={{ is: 'not heard' }} />
      <Button onClick={() => playSound('redeemed')}>Play again</Button>
    </Actions>
  )
}

function PrinterAnswers({ onOutcome }: StepProps) {
  const printing = usePrinting(useTestReceipt())
  const { state, hasPrinted, print } = printing
  return (
    <>
      <PrintOutcome {...printing} />
      <Actions>
        <Button variant={hasPrinted ? 'plain' : 'primary'} busy={state.at === 'printing'} onClick={print}>
          Print a test page
        </Button>
        <YesNo onOutcome={onOutcome} no={{ is: 'not printed' }} tooEarly={!hasPrinted} />
        <Button onClick={() => onOutcome(NOT_HERE)}>No printer here</Button>
      </Actions>
    </>
  )
}

function ScannerAnswers({ onOutcome }: StepProps) {
  const [other, setOther] = useState(false)
  useHandScanner({
    onScan: (scanned) => (serialFromScan(scanned) === TEST_CODE ? onOutcome(PASSED) : setOther(true)),
  })
  return (
    <>
      <TestCode />
      <p role="status" className="text-warn-text empty:hidden">
        {other && 'Another code arrived. Scan this one, or press “It does not scan”.'}
      </p>
      <Actions>
        <Button onClick={() => onOutcome(failed({ is: other ? 'scanned otherwise' : 'not scanned' }))}>
          It does not scan
        </Button>
        <Button onClick={() => onOutcome(NOT_HERE)}>No scanner here</Button>
      </Actions>
    </>
  )
}

interface PersonStep {
  question: string
  note: string
  Answers: ComponentType<StepProps>
}

/** What a person is asked, and how they answer. */
export const PERSON_STEPS: Record<PersonCheck, PersonStep> = {
  camera: {
    question: 'Do you see a live picture?',
    note: 'Move your hand in front of the camera.',
    Answers: CameraAnswers,
  },
  sound: {
    question: 'Did you hear two tones?',
    note: 'The counter plays them for a redeemed voucher.',
    Answers: SoundAnswers,
  },
  printer: {
    question: 'Does the printer print?',
    note: 'You can scan the code of the test page next.',
    Answers: PrinterAnswers,
  },
  scanner: {
    question: 'Scan this code',
    note: 'Some scanners read paper only: then scan the test page.',
    Answers: ScannerAnswers,
  },
}
