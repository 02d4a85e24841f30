import { describe, expect, it } from 'vitest'
import { layoutFile, layoutOf } from './paths.ts'

describe('the layout of a path', () => {
  it.each([
    '/',
    '/404',
    '/register',
    '/onboarding-submitted',
    '/terms-of-use',
    '/review',
    '/redeem',
    '/redeem/',
    '/review%23token=abc',
  ])('is empty for %s', (path) => expect(layoutOf(path)).toBe('empty'))

  it.each(['/login', '/login/', '/login%3Fstep%3Dreset%23token%3Dabc'])('is auth for %s', (path) =>
    expect(layoutOf(path)).toBe('auth'),
  )

  it.each(['/dashboard', '/branches/adhoc', '/masters/1/edit', '/settings/device', '/nowhere', '/login/more'])(
    'is the default for %s',
    (path) => expect(layoutOf(path)).toBe('default'),
  )

  it('names the file of the build', () => {
    expect(['/', '/login', '/vouchers'].map(layoutFile)).toEqual(['/index.html', '/login.html', '/app.html'])
  })
})
