import type { LineVerdict } from '../../domain/connectivity.ts'

interface Line {
  verdict: LineVerdict
  captive: boolean
}

/** What is the matter with the line, in the fewest words that tell the four states apart. */
export function lineTitle({ verdict, captive }: Line): string {
  if (captive && verdict === 'offline') return 'This network wants a login of its own'
  return TITLES[verdict]
}

const TITLES: Record<LineVerdict, string> = {
  online: 'Online',
  slow: 'The connection is slow',
  unreachable: 'Our service cannot be reached',
  offline: 'No connection',
}
