import type { Drawing } from '../../ui/Icon.tsx'

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

/** Where an item leads, in the router's form. */
export interface Place {
  to: string
  params?: Record<string, string>
  search?: Record<string, unknown>
  hash?: string
}

/** A place to go to, or an action. */
export interface Item {
  /** Stays the same for the same thing: recent choices are remembered by it. */
  id: string
  group: ItemGroup
  label: string
  detail?: string | undefined
  keywords?: string | undefined
  icon: Drawing
  go: Place | (() => void)
  /** Why it cannot be done now. */
  needs?: string | undefined
}
