import type { ReactNode } from 'react'
import type { IconName } from '../../ui/iconPaths.tsx'

/** One thing to look after: what, where, and the way to mend it. */
export interface AttentionItem {
  key: string
  icon: IconName
  title: string
  text: string
  action: ReactNode
}
