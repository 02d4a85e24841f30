import { useUnsavedWork } from '../../blocks/drafts/useUnsavedWork.ts'
import type { ImportState, ImportJob } from './ImportJob.ts'

/** What would be lost with this page, or with a logout: an import that is not finished, and passwords nobody has saved. */
export function useUnsavedImport(key: string, desk: ImportJob, { draft, passwordsSaved }: ImportState): void {
  const isUnderWay = draft !== undefined && draft !== 'loading' && draft.rows.some(({ stage }) => stage !== 'created')
  useUnsavedWork(`import/${key}`, isUnderWay, { keep: () => desk.keep(), forget: () => desk.discard() })
  useUnsavedWork(`import-passwords/${key}`, !passwordsSaved)
}
