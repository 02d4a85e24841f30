import { execFileSync } from 'node:child_process'

/**
 * Drops every packet to and from these addresses, as a cable that is pulled does: nobody is told. Answers how to plug it in again.
 * `npm run test:failover` runs in a network namespace of its own, where this concerns nobody else.
 */
export function cutOff(addresses: readonly string[]): () => void {
  const rules = addresses.flatMap((address) => [
    ['--destination', address],
    ['--source', address],
  ])
  const change = (how: '--append' | '--delete') => {
    for (const rule of rules) execFileSync('iptables', ['--wait', how, 'INPUT', ...rule, '--jump', 'DROP'])
  }
  change('--append')
  return () => change('--delete')
}
