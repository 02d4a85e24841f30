import type { LinkOptions } from '@tanstack/react-router'
import type { IconName } from '../../ui/iconPaths.tsx'

/** One line of the bell's list, from the server or made on this device. */
export interface ShownNotice {
  key: string
  /** Milliseconds, UTC. */
  at: number
  icon: IconName
  title: string
  text: string
  /** Where it can be seen or mended. */
  link?: { way: LinkOptions; label: string }
}
