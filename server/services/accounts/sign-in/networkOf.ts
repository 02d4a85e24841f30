import { isIPv6 } from 'node:net'

/** What a line is counted by: an IPv4 address, or the /64 of an IPv6 one, of which every line has 2^64 to choose from. */
export function networkOf(ipAddress: string): string {
  const [address = ''] = ipAddress.split('%', 1)
  if (!isIPv6(address)) return ipAddress
  // A URL writes the groups in one way, an embedded IPv4 address too.
  const [head = '', tail = ''] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const [first, last] = [head, tail].map((groups) => groups.split(':').filter(Boolean))
  const zeros = Array<string>(8 - first!.length - last!.length).fill('0')
  return `${[...first!, ...zeros, ...last!].slice(0, 4).join(':')}::/64`
}
