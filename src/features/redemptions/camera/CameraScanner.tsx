import { useEffect, useRef } from 'react'
import { Button } from '../../../ui/Button.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { whenIdle } from '../../../state/whenIdle.ts'
import { storeCameraChoice } from '../../redeem/camera/cameraChoice.ts'
import { CameraTools } from './CameraTools.tsx'
import { cameraMessage } from '../../redeem/camera/cameraWords.ts'
import { openDecoder } from './openDecoder.ts'
import { useCamera } from './useCamera.ts'
import { useCameraChoice } from '../../redeem/camera/useCameraChoice.ts'
import { usePageVisible } from '../../redeem/camera/usePageVisible.ts'
import { VoucherFrame } from '../../redeem/camera/VoucherFrame.tsx'

const DECODER_WAIT = { atLatestMs: 5_000, untoldMs: 500 }

interface Props {
  /** Once for each time that a voucher is shown. */
  onCode: (serial: string) => void
  /** Nothing is to be scanned now: the camera is let go. */
  paused: boolean
}

/** The camera as a scanner. It starts on the person's word, which the device remembers; hand scanner and keys never wait for it. */
export function CameraScanner({ onCode, paused }: Props) {
  const [choice, choose] = useCameraChoice()
  const visible = usePageVisible()
  const video = useRef<HTMLVideoElement>(null)
  const { state, again } = useCamera({
    video,
    running: choice.on && visible && !paused,
    deviceId: choice.deviceId,
    onCode,
    // What does not work is not tried by itself at the next voucher.
    onTrouble: () => storeCameraChoice({ ...choice, on: false }),
  })
  // Before it is needed: an open tab must not miss it when the line is gone, or a newer build has taken the file away.
  useEffect(() => whenIdle(() => void openDecoder().catch(() => undefined), DECODER_WAIT), [])

  const press = () => {
    choose({ on: state.at === 'trouble' || !choice.on })
    if (state.at === 'trouble') again()
  }
  const live = state.at === 'on'
  return (
    <section className={live ? 'camera live' : 'camera'} aria-label="Camera">
      <div className="view">
        <video ref={video} muted playsInline aria-hidden="true" />
        <VoucherFrame bare={live} />
        {live && (
          <CameraTools stream={state.stream} cameras={state.cameras} onCamera={(deviceId) => choose({ deviceId })} />
        )}
      </div>
      <div className="cap">
        <Icon name={state.at === 'trouble' ? 'alert' : 'camera'} />
        <span role="status">{cameraMessage(state, choice.on)}</span>
        <Button onClick={press}>{state.at === 'trouble' ? 'Try again' : choice.on ? 'Turn off' : 'Use camera'}</Button>
      </div>
    </section>
  )
}
