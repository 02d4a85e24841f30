import { beforeAll, describe, expect, it } from 'vitest'
import { counterPhotographs } from '../../../../tests/support/redemptions/counterPhotographs.ts'
import { drawnBars } from '../../../../tests/support/redemptions/drawnBars.ts'
import { prepareReader, watchPhotograph } from '../../../../tests/support/redemptions/watchPhotograph.ts'

beforeAll(prepareReader)

/** Three seconds. */
const LOOKS = 30

describe('the camera reads a voucher', () => {
  const hard = ['EAN-13 white on black', 'HRP2 white on black', 'HRP1 beside other codes', 'EAN-13 under a lamp']
  it.each(counterPhotographs().filter(({ name }) => hard.includes(name)))('$name', async (shot) => {
    expect(await watchPhotograph(await shot.take(), { looks: LOOKS, untilFirst: true })).toEqual([shot.code])
  })
})

describe('bars that are not there', () => {
  it('are never reported: of 40 drawn vouchers each is read as its own number or not at all', async () => {
    for await (const { serial, picture } of drawnBars(40, 1)) {
      expect([[serial], []]).toContainEqual(await watchPhotograph(picture, { looks: 4, untilFirst: true }))
    }
  }, 120_000)
})
