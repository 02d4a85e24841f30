import { useState } from 'react'
import { type CameraChoice, storeCameraChoice, readCameraChoice } from './cameraChoice.ts'

/** The device's choice, and the way to change it; what is left out stays as it was. */
export function useCameraChoice() {
  const [choice, setChoice] = useState(readCameraChoice)
  const choose = (changed: Partial<CameraChoice>) => {
    const next = { ...choice, ...changed }
    storeCameraChoice(next)
    setChoice(next)
  }
  return [choice, choose] as const
}
