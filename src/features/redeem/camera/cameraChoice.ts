import * as v from 'valibot'
import { readStored, writeStored } from '../../../state/persisted.ts'

const CHOICE_KEY = 'counter-camera'

/** Of the device, whoever signs in: whether the counter scans with its camera, and with which one. */
const CameraChoice = v.object({ on: v.boolean(), deviceId: v.optional(v.string()) })
export type CameraChoice = v.InferOutput<typeof CameraChoice>

export const readCameraChoice = (): CameraChoice => readStored(CHOICE_KEY, CameraChoice) ?? { on: false }
export const storeCameraChoice = (choice: CameraChoice): void => writeStored(CHOICE_KEY, choice)
