import * as v from 'valibot'
import { proxy } from 'valtio/vanilla'
import { onStoredElsewhere, readStored, writeStored } from './persisted.ts'

const DEVICE_KEY = 'till-device'

/**
 * This device at the counter: a random id for life, the name it has at each branch that it served, where of these it is enrolled, and
 * the day on which a cashier was asked for a code and put it off.
 */
const Device = v.object({
  guid: v.string(),
  names: v.record(v.string(), v.string()),
  enrolled: v.optional(v.array(v.string()), []),
  codeLater: v.optional(v.string()),
  /** It has begun to remove what it stored, as its manager asked: the next start goes on where the last one was ended. */
  removing: v.optional(v.boolean(), false),
  /** Its own keypad is shown on a phone as well, instead of the keyboard of the phone. */
  keypad: v.optional(v.boolean(), false),
  /** It has removed it, and was no till again since. */
  removed: v.optional(v.boolean(), false),
})

type Device = v.InferOutput<typeof Device>

export const tillDevice = proxy<Device>(
  readStored(DEVICE_KEY, Device) ?? {
    guid: crypto.randomUUID(),
    names: {},
    enrolled: [],
    removing: false,
    keypad: false,
    removed: false,
  },
)

onStoredElsewhere(DEVICE_KEY, () => Object.assign(tillDevice, readStored(DEVICE_KEY, Device) ?? tillDevice))

function changeDevice(next: Partial<Device>) {
  Object.assign(tillDevice, next)
  writeStored(DEVICE_KEY, tillDevice)
}

/** The server knows this device by this name at `branch` now. */
export const tillNamed = (branch: string, name: string): void =>
  changeDevice({ names: { ...tillDevice.names, [branch]: name }, removing: false, removed: false })

/** It was enrolled there (decision 0079). */
export const tillEnrolled = (branch: string): void =>
  changeDevice({ enrolled: [...tillDevice.enrolled.filter((one) => one !== branch), branch] })

/** The server does not take this device for a till of `branch` any more. */
export function tillForgotten(branch: string): void {
  const { [branch]: _, ...names } = tillDevice.names
  changeDevice({ names, enrolled: tillDevice.enrolled.filter((one) => one !== branch) })
}

/** A cashier has no code: nobody is asked again on `day`. */
export const codePutOff = (day: string): void => changeDevice({ codeLater: day })

export const showKeypad = (keypad: boolean): void => changeDevice({ keypad })

export const tillRemovalBegun = (): void => changeDevice({ removing: true })

export const tillRemoved = (): void => changeDevice({ names: {}, enrolled: [], removing: false, removed: true })
