import { useUnsavedWork } from '../../blocks/drafts/useUnsavedWork.ts'
import type { DeskState, ImportDesk } from './ImportJob.ts'

/** What would be lost with this page, or with a logout: an import that is not finished, and passwords nobody has saved. */
export function useKeptDesk(key: string, desk: ImportDesk, { draft, passwordsSaved }: DeskState): void {
  const isUnderWay = draft !== undefined && draft !== 'loading' && draft.rows.some(({ stage }) => stage !== 'created')
  useUnsavedWork(`import/${key}`, isUnderWay, { keep: () => desk.keep(), forget: () => desk.discard() })
  useUnsavedWork(`import-passwords/${key}`, !passwordsSaved)
}
