import { describe, expect, it } from 'vitest'
import { isCommonPassword } from './isCommonPassword.ts'

const CONTEXT = ['Kopi & Grain Pte. Ltd.', 'tan.wei.ming']

describe('a common password', () => {
  it.each([
    'Password1234!',
    'P@ssw0rd2026!!',
    'Pa$$w0rd-1234',
    'PASSWORDpassword1!',
    '!!!Welcome2026',
    'We1come-123456',
    'Adm1nistrator#1',
    'Qwertyuiop123!',
    '1qaz2WSX3edc!',
    'Abcd12345678!@#',
    'Aa123456789!',
    'Abc111111111!',
    'I-Love-You-2026',
    'Chickenrice-88!',
    'Merlion-2026!!',
    'ＰＡＳＳｗｏｒｄ1234!',
  ])('%s is found behind its spelling', (password) => {
    expect(isCommonPassword(password, [])).toBe(true)
  })

  it.each([
    'Kopi&Grain2026!',
    'K0pi-Gra1n-2026',
    'KopiGrainPteLtd#1',
    'Tan.Wei.Ming.2026!',
    'TanWeiMing123!',
    'Voucher-2026-!!',
    'M3rchantP0rtal!',
    'PortalPortal99$',
  ])('%s is nothing but words of the portal, the organisation or the name', (password) => {
    expect(isCommonPassword(password, CONTEXT)).toBe(true)
  })

  it.each([
    'Correct-Horse-2026!',
    'Quiet-Harbour-7-Lamps!',
    'Kopi-Is-Better-At-7!',
    'Demo-Lantern-2026!',
    'xK7#pQ2$vN9!mR4',
    'Ab48#2!95$71',
    '密码Lantern-Tram-9',
    `Aa1${'🔒'.repeat(125)}`,
  ])('%j is not one', (password) => {
    expect(isCommonPassword(password, CONTEXT)).toBe(false)
  })

  it('is judged quickly, however the name of the organisation repeats itself', () => {
    const started = performance.now()
    expect(isCommonPassword(`${'a'.repeat(126)}B1`, ['aaaa aaaaa aaaaaa aaaaaaa'])).toBe(false)
    expect(performance.now() - started).toBeLessThan(100)
  })
})
