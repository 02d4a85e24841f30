import { expect, it } from 'vitest'
import { deviceName } from './callerOf.ts'

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
