import { expect, it } from 'vitest'
import { logoFault } from './uploadRules.ts'

it('a brand logo is 3:2, give or take 1 %', () => {
  for (const [width, height] of [
    [160, 107],
    [3, 2],
    [300, 200],
    [303, 200],
    [297, 200],
  ] as const) {
    expect(logoFault('brand_logo', { width, height })).toBeUndefined()
  }
  for (const [width, height] of [
    [304, 200],
    [296, 200],
    [200, 300],
    [100, 100],
    [1, 1],
  ] as const) {
    expect(logoFault('brand_logo', { width, height })).toMatchObject({ rule: 'ratio' })
  }
})

it('a profile logo is at most 100 by 50 pixels, of any ratio', () => {
  for (const [width, height] of [
    [100, 50],
    [50, 50],
    [1, 1],
  ] as const) {
    expect(logoFault('profile_logo', { width, height })).toBeUndefined()
  }
  for (const [width, height] of [
    [101, 50],
    [100, 51],
  ] as const) {
    expect(logoFault('profile_logo', { width, height })).toMatchObject({ rule: 'dimensions' })
  }
})
