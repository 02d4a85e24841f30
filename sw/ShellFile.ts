import type { PrecacheEntry } from 'workbox-precaching'

/** A line of the precache list. The build gives each file's checksum. */
export interface ShellFile extends PrecacheEntry {
  integrity: string
}

export const isPage = ({ url }: ShellFile): boolean => url.endsWith('.html')
