import { expect, it } from 'vitest'
import { deviceName, readAddress } from './callerOf.ts'

const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)'

it.each([
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/130.0.0.0 Safari/537.36`, 'Chrome on Windows'],
  [`Mozilla/5.0 (Linux; Android 14; SM-X200) ${WEBKIT} Chrome/130.0.0.0 Safari/537.36`, 'Chrome on Android'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:131.0) Gecko/20100101 Firefox/131.0', 'Firefox on Linux'],
  ['', 'Unknown device'],
  ['Call-us-at/1 now please', 'Unknown device'],
  ['<script>alert(1)</script>', 'Unknown device'],
  [`Chrome/${'1'.repeat(600)}`, 'Unknown device'],
])('%j is %s', (userAgent, words) => expect(deviceName(userAgent)).toBe(words))

it.each([
  ['203.0.113.7', '203.0.113.7'],
  ['203.0.113.7:51234', '203.0.113.7'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['::FFFF:203.0.113.9', '203.0.113.9'],
  ['0:0:0:0:0:ffff:203.0.113.9', '203.0.113.9'],
  ['::ffff:203.0.113.9:51234', '203.0.113.9'],
  ['::ffff:cb00:7109', '203.0.113.9'],
  ['[::ffff:203.0.113.9]:443', '203.0.113.9'],
  ['2001:db8::1', '2001:db8::1'],
  ['[2001:db8::1]', '2001:db8::1'],
  ['[2001:db8::1]:443', '2001:db8::1'],
  ['fe80::1%eth0', 'fe80::1%eth0'],
  ['', undefined],
  ['unknown', undefined],
  ['_hidden', undefined],
  ['portal.example:443', undefined],
  ['[203.0.113.7', undefined],
  ['203.0.113.7:', undefined],
])('the hop %j is %s', (hop, address) => expect(readAddress(hop)).toBe(address))
