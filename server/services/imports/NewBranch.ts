import type { ImportedBranch } from '../../../src/contract/imports.ts'
import type { Row } from './Batch.ts'

/** A row on its way, with what was made up for it. */
export interface NewBranch extends Row<ImportedBranch> {
  id: string
  pinHash: string
}
