import type { ImportDraft } from './ImportDraft.ts'
import type { ValidatedRow } from './validateRows.ts'

export interface ImportRun {
  act: 'check' | 'commit' | 'passwords'
  done: number
  total: number
  stopping: boolean
}

/** What the screen shows of an import. The draft and the validated rows are replaced as a whole, never changed. */
export interface ImportState {
  /** `loading` until the device was asked. */
  draft: ImportDraft | undefined | 'loading'
  validated: readonly ValidatedRow[]
  undoable: boolean
  run: ImportRun | undefined
  /** Why the last run stopped before its end. */
  failure: string | undefined
  /** The device has no room or no storage. */
  cannotSave: boolean
  /** Temporary passwords by row, as long as this page lives; `null` for a user that was changed since. */
  passwords: ReadonlyMap<number, string | null>
  /** The person has said that the file of passwords is there. */
  passwordsSaved: boolean
}

export const EMPTY_IMPORT: ImportState = {
  draft: undefined,
  validated: [],
  undoable: false,
  run: undefined,
  failure: undefined,
  cannotSave: false,
  passwords: new Map(),
  passwordsSaved: true,
}
