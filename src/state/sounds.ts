import * as v from 'valibot'
import { proxy } from 'valtio/vanilla'
import { onStoredElsewhere, readStored, writeStored } from './persisted.ts'

const KEY = 'sounds'

export const VOLUMES = [
  { value: 'low', label: 'Low' },
  { value: 'medium', label: 'Medium' },
  { value: 'high', label: 'High' },
] as const

export type Volume = (typeof VOLUMES)[number]['value']

const Setting = v.object({
  /** Turns tones and vibration on together. */
  on: v.boolean(),
  volume: v.picklist(VOLUMES.map(({ value }) => value)),
})

type Setting = v.InferOutput<typeof Setting>

const DEFAULTS: Setting = { on: true, volume: 'medium' }

/** The counter's sounds on this device, for all its users: the setting stays after a logout. */
export const sounds = proxy<Setting>(readStored(KEY, Setting) ?? { ...DEFAULTS })

onStoredElsewhere(KEY, () => Object.assign(sounds, DEFAULTS, readStored(KEY, Setting)))

export function changeSounds(changes: Partial<Setting>): void {
  Object.assign(sounds, changes)
  writeStored(KEY, sounds)
}
