import { execFileSync } from 'node:child_process'

/**
 * Drops every packet to and from these addresses, like a pulled cable: neither side is told. Returns a function that reconnects them.
 * `npm run test:failover` runs in its own network namespace, so this affects no other program.
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
