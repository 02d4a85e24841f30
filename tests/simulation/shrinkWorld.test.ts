import { describe, expect, it } from 'vitest'
import type { Life } from './liveWorld.ts'
import { shrinkWorld } from './shrinkWorld.ts'
import { tellStory } from './tellStory.ts'
import { TROUBLES } from './Troubles.ts'
import type { WorldOptions } from './World.ts'

const life = (broken?: string): Life => ({ broken, story: [], events: 1, receipts: 1, seconds: 1 })
const LARGE: WorldOptions = { seed: 7, days: 1, tills: 4, hours: 12, servers: 2 }
const BROKEN = { options: LARGE, life: life('voucher 41 at till 3 has an end') }

describe('a world that broke a promise', () => {
  it('is made as small as one that still breaks it', async () => {
    const live = async ({ tills, days, without = [] }: WorldOptions) => {
      const breaks = tills >= 2 && days > 0.3 && !without.includes('death')
      return life(breaks ? 'voucher 5 at till 2 has an end' : undefined)
    }
    const { options } = await shrinkWorld(BROKEN, live, Infinity)
    expect(options).toMatchObject({ seed: 7, tills: 2, servers: 2 })
    expect(options.days).toBeGreaterThan(0.3)
    expect(options.days).toBeLessThan(0.5)
    expect(options.without?.toSorted()).toEqual(TROUBLES.filter((trouble) => trouble !== 'death').toSorted())
  })

  it('is not taken for one that breaks another promise, and stays as it is when the time is over', async () => {
    const other = async () => life('ledger and vouchers are the same money')
    expect(await shrinkWorld(BROKEN, other, Infinity)).toBe(BROKEN)
    const same = async () => BROKEN.life
    expect(await shrinkWorld(BROKEN, same, performance.now() - 1)).toBe(BROKEN)
  })
})

describe('the story of a broken promise', () => {
  it('is told of the voucher and its tills alone, from its first moment', () => {
    const story = [
      'till 1 scans voucher 3',
      'till 2 opens tab 1',
      'till 2 scans voucher 41',
      'till 1 takes voucher 3: confirmed',
      'till 2 has a full disk',
      'till 22 scans voucher 410',
      'the world is healed',
      'broken: voucher 41 at till 2 has an end',
    ]
    expect(tellStory(story)).toEqual([
      'till 2 scans voucher 41',
      'till 2 has a full disk',
      'the world is healed',
      'broken: voucher 41 at till 2 has an end',
    ])
  })

  it('fits on a screen', () => {
    const told = tellStory([...Array.from({ length: 500 }, () => 'till 1 scans voucher 1'), 'broken: voucher 1'])
    expect(told).toHaveLength(41)
    expect(told[20]).toBe('(461 more)')
  })
})
