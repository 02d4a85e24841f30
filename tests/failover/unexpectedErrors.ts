import { readFileSync } from 'node:fs'
import type { Cluster } from '../cluster/startCluster.ts'

/** Errors that the servers logged as defects; a failover is not one, and is answered with 503. One line for each kind, with its first example. */
export function unexpectedErrors({ servers }: Cluster): string[] {
  const lines = servers.flatMap(({ program }) => readFileSync(program.log, 'utf8').split('\n'))
  const found = lines.filter((line) => line.includes('"event":"unexpected_error"'))
  const kinds = new Map<string, string[]>()
  for (const line of found) kinds.set(kindOf(line), [...(kinds.get(kindOf(line)) ?? []), line])
  return [...kinds].map(([kind, all]) => `${all.length} × ${kind}, first: ${all[0]!.slice(0, 1_500)}`)
}

function kindOf(line: string): string {
  const { name, message, code } = JSON.parse(line) as Record<string, string | undefined>
  return [name, code, message?.split('\n')[0]?.slice(0, 120)].filter(Boolean).join(' ')
}
