import { type ComponentType, lazy } from 'react'
import { retryImport } from '../loadPatiently.ts'

/** A part whose file is fetched when it is first drawn, and asked for until it comes: no error card takes the screen away for it. */
export const lazyWithRetry = <Props extends object>(load: () => Promise<ComponentType<Props>>) =>
  lazy(() => retryImport(async () => ({ default: await load() })))
