import type { IconName } from '../../ui/Icon.tsx'

export const ITEM_GROUPS = [
  'Recent',
  'Screens',
  'Actions',
  'Branches',
  'POS users',
  'Masters',
  'Vouchers',
  'Saved views',
  'More, from the server',
] as const
export type ItemGroup = (typeof ITEM_GROUPS)[number]

/** Where an item leads, as the router takes it. */
export interface Place {
  to: string
  params?: Record<string, string>
  search?: Record<string, unknown>
  hash?: string
}

/** Something that can be gone to or done. */
export interface Item {
  /** The same thing has the same id tomorrow: it is what is remembered as recent. */
  id: string
  group: ItemGroup
  label: string
  detail?: string | undefined
  keywords?: string | undefined
  icon: IconName
  go: Place | (() => void)
  /** Why it cannot be done now. */
  needs?: string | undefined
}
