import * as v from 'valibot'
import { proxy } from 'valtio/vanilla'
import { onStoredElsewhere, readStored, writeStored } from './persisted.ts'

const DEVICE_KEY = 'till-device'

/**
 * This device at the counter: a permanent random id, its name at each branch that it served, the branches where it is enrolled, and
 * the day on which a cashier put off a code.
 */
const Device = v.object({
  guid: v.string(),
  names: v.record(v.string(), v.string()),
  enrolled: v.optional(v.array(v.string()), []),
  codeLater: v.optional(v.string()),
  /** True while this device removes its stored data, as its manager asked. If this is interrupted, the next start goes on. */
  removing: v.optional(v.boolean(), false),
  /** Shows the counter's own keypad on a phone, instead of the phone's keyboard. */
  keypad: v.optional(v.boolean(), false),
  /** True if this device has removed its stored data, and has not been a till since. */
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

function changeDevice(changes: Partial<Device>) {
  Object.assign(tillDevice, changes)
  writeStored(DEVICE_KEY, tillDevice)
}

/** Stores the name under which the server knows this device at `branch`. */
export const storeTillName = (branch: string, name: string): void =>
  changeDevice({ names: { ...tillDevice.names, [branch]: name }, removing: false, removed: false })

/** Notes that this device was enrolled at `branch` (decision 0079). */
export const noteEnrolment = (branch: string): void =>
  changeDevice({ enrolled: [...tillDevice.enrolled.filter((one) => one !== branch), branch] })

/** Notes that the server no longer accepts this device as a till of `branch`. */
export function forgetTillAt(branch: string): void {
  const { [branch]: _, ...names } = tillDevice.names
  changeDevice({ names, enrolled: tillDevice.enrolled.filter((one) => one !== branch) })
}

/** Notes that the cashier has no code, so that no cashier is asked again on `day`. */
export const putOffCode = (day: string): void => changeDevice({ codeLater: day })

export const showKeypad = (keypad: boolean): void => changeDevice({ keypad })

export const noteRemovalStarted = (): void => changeDevice({ removing: true })

export const noteRemovalDone = (): void => changeDevice({ names: {}, enrolled: [], removing: false, removed: true })
