import { useEffect } from 'react'
import { setPageTitle } from '../../state/shell.ts'

/** Sets the page's name in the tab and in the general UI state (rule 16.8). */
export function usePageTitle(title: string): void {
  useEffect(() => setPageTitle(title), [title])
}
