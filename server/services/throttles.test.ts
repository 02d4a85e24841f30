import { expect, it } from 'vitest'
import { networkOf } from './throttles.ts'

it.each([
  ['192.0.2.7', '192.0.2.7'],
  ['unknown', 'unknown'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['2001:db8:0:0:ffff:1:2:3', '2001:db8:0:0::/64'],
  ['2001:DB8:0:1::5', '2001:db8:0:1::/64'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['::1', '0:0:0:0::/64'],
  ['1:2:3:4:5:6:7::', '1:2:3:4::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['64:ff9b::192.0.2.7', '64:ff9b:0:0::/64'],
])('counts %s as %s', (address, network) => expect(networkOf(address)).toBe(network))
