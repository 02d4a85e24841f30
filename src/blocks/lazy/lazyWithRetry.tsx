import { type ComponentType, lazy } from 'react'
import { loadPatiently } from '../loadPatiently.ts'

/** A part whose file is fetched when it is first drawn, and asked for until it comes: no error card takes the screen away for it. */
export const patientPart = <Props extends object>(load: () => Promise<ComponentType<Props>>) =>
  lazy(() => loadPatiently(async () => ({ default: await load() })))
